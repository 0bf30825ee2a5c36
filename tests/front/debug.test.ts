/** What the panel of developers records, and what it hides (DB-02 to DB-04, DB-07, DB-08, S-21). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecorder, statusClass, timeOf, written } from '../../components/overlays/debug/recorder.ts'

type Answer = (url: string) => Promise<Response>

function recording(answer: Answer = async () => new Response('{}')) {
  const said: unknown[][] = []
  const say = (...words: unknown[]) => void said.push(words)
  const scope = {
    console: { log: say, info: say, warn: say, error: say },
    fetch: (async (input) => answer(String(input))) as typeof fetch,
  }
  const recorder = createRecorder(scope)
  /** The answer is read beside the page's own reading. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { said, scope, recorder, settled }
}

test('the console goes on as before, and its lines are kept with time and type, the newest of them', () => {
  const { said, scope, recorder } = recording()
  scope.console.log('a', 1)
  scope.console.warn('b')
  scope.console.error(new Error('c'))
  assert.deepEqual(
    said.map(([first]) => (first instanceof Error ? first.message : first)),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(
    recorder.logs().map(({ type, text }) => [type, text]),
    [
      ['logs', 'a 1'],
      ['warn', 'b'],
      ['error', 'Error: c'],
    ],
  )
  assert.equal(timeOf(new Date(2026, 1, 3, 4, 5, 6)), '04:05:06')
  for (let count = 0; count < 500; count += 1) scope.console.log(String(count))
  assert.equal(recorder.logs().length, 200)
  assert.equal(recorder.logs().at(-1)?.text, '499')
})

test('an object that holds itself is written, and nothing throws', () => {
  const round: Record<string, unknown> = { a: 1 }
  round.self = round
  assert.equal(written(round), '{"a":1,"self":"[seen above]"}')
  assert.equal(written(undefined), 'undefined')
  assert.equal(written(10n), '"10"')
  const { scope } = recording()
  scope.console.log(round, Symbol('x'), () => {})
})

test('a request waits, and is ended by its answer; without one it is an error', async () => {
  let tell: (answer: Response) => void = () => {}
  const { scope, recorder, settled } = recording(
    () =>
      new Promise((resolve) => {
        tell = resolve
      }),
  )
  const asked = scope.fetch('/_data/faq?a=&b=0&c=false&d=x', { headers: { Accept: 'text/html' } })
  const [pending] = recorder.requests()
  assert.ok(pending)
  assert.deepEqual(Object.keys(pending), [
    'id',
    'url',
    'method',
    'params',
    'headers',
    'body',
    'startDate',
    'endDate',
    'statusCode',
    'response',
  ])
  assert.equal(statusClass(pending), 'pending')
  assert.deepEqual([pending.url, pending.method], ['/_data/faq', 'GET'])
  assert.deepEqual(pending.params, { b: '0', c: 'false', d: 'x' })
  tell(new Response('{"a":1}', { status: 201 }))
  assert.equal(await (await asked).text(), '{"a":1}', 'the page reads its answer')
  await settled()
  const [done] = recorder.requests()
  assert.ok(done?.endDate)
  assert.deepEqual([done.statusCode, done.response], [201, { a: 1 }])
  for (const [statusCode, kind] of [
    [101, 'info'],
    [204, 'success'],
    [303, 'redirect'],
    [404, 'error'],
    [503, 'error'],
    [null, 'error'],
  ] as const)
    assert.equal(statusClass({ ...done, statusCode }), kind)

  const lost = recording(async () => {
    throw new TypeError('Failed to fetch')
  })
  await assert.rejects(lost.scope.fetch('/x'), TypeError)
  assert.equal(lost.recorder.requests()[0]?.statusCode, null)
  recorder.clear()
  assert.deepEqual(recorder.requests(), [])
})

test('nothing of a guest is kept: no token, phone, address, place or key', async () => {
  const canaries = [
    'tok_canary_secret',
    '+7 701 000 00 31',
    '77010000031',
    'Абая 10',
    '43.2389',
    'cookie-canary',
    'AAAAAAAAAAAAAAAAAAAAAA',
  ]
  const { scope, recorder, settled } = recording(
    async () =>
      new Response(
        JSON.stringify({
          accessToken: canaries[0],
          profile: { phone: canaries[1], addresses: [{ street: canaries[3] }] },
          text: `call ${canaries[1]} or ${canaries[2]}`,
          latitude: 43.2389,
          name: 'Лагман',
        }),
      ),
  )
  await scope.fetch(`/pay/${canaries[6]}?code=${canaries[0]}&q=${canaries[2]}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${canaries[0]}`,
      'X-Near': canaries[4] ?? '',
      Cookie: canaries[5] ?? '',
    },
    body: new URLSearchParams({ phone: canaries[1] ?? '', address: canaries[3] ?? '', qty: '2' }),
  })
  scope.console.log(`Bearer ${canaries[0]}`, { text: canaries[2] })
  await settled()
  const shown = JSON.stringify([recorder.requests(), recorder.logs()])
  for (const canary of canaries) assert.ok(!shown.includes(canary), `${canary} in ${shown}`)
  assert.ok(shown.includes('Лагман') && shown.includes('"qty":"2"'), shown)
})

test('what is said to the console is hidden by its name or its form, as in requests', () => {
  const { scope, recorder } = recording()
  const secret = 'canary77'
  const said: unknown[][] = [
    [
      {
        accessToken: secret,
        refreshToken: secret,
        token: secret,
        nested: [{ trackId: secret, code: secret }],
      },
    ],
    [{ token: { value: secret }, oauth_state: secret, smsCode: 1234567 }],
    [`access_token=${secret}&state=${secret}`],
    [`https://a.example/auth?code=${secret}&state=${secret}#token=${secret}`],
    [`back=%2Fauth%3Fcode%3D${secret}%26trackId%3D${secret}`],
    [JSON.stringify({ refresh_token: secret, headers: { Authorization: `Basic ${secret} ${secret}` } })],
    [JSON.stringify(JSON.stringify({ token: `two words ${secret}` }))],
    ['accessToken:', secret],
    [`Authorization: Basic ${secret}`],
    [`Authorization: Digest username="${secret}", response="${secret}"`],
    [`authorization=Token ${secret}`],
    [new Error(`refused, token=${secret}`)],
    [`bearer ${secret}`],
  ]
  for (const words of said) scope.console.log(...words)
  for (const [at, { text }] of recorder.logs().entries())
    assert.ok(!/canary77|1234567/.test(text) && text.includes('[hidden]'), `${at}: ${text}`)
})

test('what is no secret can be read: hashed files, currencies, errors, texts, states', async () => {
  const file = '/assets/texts-9817620f-menuSearch-kk.json'
  const texts = { 'address.to': 'Куда', 'block.phone': 'Телефон' }
  const answer = {
    money: { code: 'KZT' },
    errors: [{ field: 'form', code: 'otherVenue' }],
    state: 'open',
    label: 'late',
    longText: 'a',
    authorized: true,
    href: file,
  }
  const { scope, recorder, settled } = recording(async (url) => Response.json(url === file ? texts : answer))
  await scope.fetch(file)
  await scope.fetch('/_data/cart')
  await settled()
  const [first, second] = recorder.requests()
  assert.deepEqual([first?.url, first?.response], [file, texts])
  assert.deepEqual(second?.response, answer)
  scope.console.log(`at https://a.example${file}:1:20`, { count: 2, page: 'menu' })
  assert.equal(recorder.logs().at(-1)?.text, `at https://a.example${file}:1:20 {"count":2,"page":"menu"}`)
})
