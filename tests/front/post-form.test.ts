/** A change reaches the server once however often it has to be sent: every attempt has the same body. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { postForm } from '../../components/lib/mutations/post-form.ts'

const real = { fetch: globalThis.fetch, setTimeout: globalThis.setTimeout }
const answer = { cart: null, flash: null, redirect: '/cart' }
const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

let bodies: string[]

/** Answers one attempt after the other; a function throws like a lost network. */
function serve(answers: (Response | 'lost')[]) {
  globalThis.fetch = async (_input, init) => {
    bodies.push(String(init?.body))
    const next = answers.shift() ?? 'lost'
    if (next === 'lost') throw new TypeError('Failed to fetch')
    return next
  }
}

beforeEach(() => {
  bodies = []
  told = 0
  // Pauses pass at once; the limit of an attempt never comes.
  const quick = (run: () => void, ms: number) =>
    ms < 15_000 ? real.setTimeout(run) : real.setTimeout(() => {})
  Object.assign(globalThis, { setTimeout: quick, addEventListener() {}, removeEventListener() {} })
})
afterEach(() => {
  Object.assign(globalThis, real)
})

/** How often a change that waits has told so. */
let told: number
const wait = () => {
  told += 1
}

const body = () => new URLSearchParams({ product: '5', m: 'abc' })

test('a lost answer is asked for again with the same id', async () => {
  serve(['lost', json({}, 503), json({}, 409), json(answer)])
  assert.deepEqual(await postForm('/cart/lines', body()), { answer, errors: [] })
  assert.deepEqual(bodies, Array(4).fill('product=5&m=abc'))
})

test('after the last attempt the change has failed', async () => {
  serve([])
  const { answer: none, errors } = await postForm('/cart/lines', body())
  assert.equal(none, null)
  assert.equal(errors[0]?.code, 'network')
  assert.equal(bodies.length, 6)
})

test('a change that waits goes once there is a network, however long that takes', async () => {
  // Six attempts, then it is asked whether anything gets through.
  serve([...Array<'lost'>(8).fill('lost'), json({}), json({}, 503), json(answer)])
  assert.deepEqual(await postForm('/cart/lines', body(), false, wait), { answer, errors: [] })
  assert.equal(bodies.length, 11)
  assert.deepEqual(new Set(bodies.slice(0, 6)), new Set(['product=5&m=abc']))
  assert.deepEqual(bodies.slice(-3), ['undefined', 'product=5&m=abc', 'product=5&m=abc'])
  assert.equal(told, 3, 'before each time that it is asked')
  // Others get through, this does not.
  bodies = []
  const six = Array<'lost'>(6).fill('lost')
  serve([...six, json({}), ...six, json({})])
  assert.equal((await postForm('/cart/lines', body(), false, wait)).errors[0]?.code, 'network')
  assert.equal(bodies.length, 6 + 1 + 6 + 1)
  // A network that comes for a moment and is gone again, as in a lift.
  bodies = []
  serve([...six, json({}), ...six, 'lost', json({}), ...six, 'lost', json({}), json(answer)])
  assert.deepEqual(await postForm('/cart/lines', body(), false, wait), { answer, errors: [] })
  assert.equal(bodies.length, 6 + 1 + 6 + 2 + 6 + 2 + 1)
  // A server that can not is no lost network.
  bodies = []
  serve(Array.from({ length: 20 }, () => json({}, 503)))
  assert.equal((await postForm('/cart/lines', body(), false, wait)).errors[0]?.code, 'unavailable')
  assert.equal(bodies.length, 6)
})

test('a server that answers and can not is not taken for a lost network', async () => {
  serve(Array.from({ length: 6 }, () => json({}, 503)))
  const { errors, lost } = await postForm('/cart/lines', body())
  assert.equal(errors[0]?.code, 'unavailable')
  assert.equal(lost, true, 'what waits behind it does not fail one by one')
})

test('a refusal is final, also one with a status that would be tried again', async () => {
  const errors = [{ field: 'form', code: 'versionChanged', values: {} }]
  serve([json({ ...answer, flash: { kind: 'formErrors', errors, values: {} } }, 409)])
  assert.deepEqual((await postForm('/orders', body())).errors, errors)
  assert.equal(bodies.length, 1)
})

test('a page where an answer should be is a failure, not an answer', async () => {
  serve([new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } })])
  assert.equal((await postForm('/cart/lines', body())).errors[0]?.code, 'unavailable')
})

test('who says when to come again is asked then, and not at all when that is too late', async () => {
  const busy = (seconds: string) =>
    new Response('{}', {
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': seconds },
    })
  const pauses: number[] = []
  const quick = (run: () => void, ms: number) => {
    if (ms < 15_000) pauses.push(ms)
    return ms < 15_000 ? real.setTimeout(run) : real.setTimeout(() => {})
  }
  Object.assign(globalThis, { setTimeout: quick })
  serve([busy('7'), json(answer)])
  assert.equal((await postForm('/cart/lines', body())).errors.length, 0)
  assert.deepEqual(pauses, [7000])
  serve([busy('60'), json(answer)])
  bodies = []
  assert.equal((await postForm('/cart/lines', body())).errors[0]?.code, 'unavailable')
  assert.equal(bodies.length, 1)
})

test('what does not pass by itself is sent once', async () => {
  serve([json({}, 500)])
  assert.equal((await postForm('/cart/lines', body())).errors[0]?.code, 'unavailable')
  assert.equal(bodies.length, 1)
  for (const status of [400, 403, 404, 413, 415]) {
    bodies = []
    serve([json({}, status)])
    assert.equal((await postForm('/cart/lines', body())).errors[0]?.code, 'refused')
    assert.equal(bodies.length, 1, `${status}`)
  }
})
