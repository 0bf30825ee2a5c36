/** The inline script in a document of the few parts that it touches (beyond.md 3). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import vm from 'node:vm'

declare const EARLY_SCRIPT: string

type Listener = (event: FakeEvent) => void
type FakeEvent = { target: unknown; submitter: unknown; prevented: boolean; preventDefault: () => void }
type Tap = { action: string; body: string }

/** A page with one early form and one plain form. */
function page(stored?: string, { old = false } = {}) {
  const storage: Record<string, string> = stored === undefined ? {} : { early: stored }
  const posted: { queue: Tap[]; back: string }[] = []
  const timers: (() => void)[] = []
  let listener: Listener = () => {}
  const count = { innerText: '2' }
  const scope: Record<string, unknown> = {
    sessionStorage: storage,
    origin: 'https://venue.test',
    navigator: { onLine: true },
    setTimeout: (run: () => void) => timers.push(run),
    addEventListener: (_type: string, added: Listener) => {
      listener = added
    },
    URLSearchParams,
    FormData: class extends Map<string, string> {
      constructor(form: { fields: Record<string, string> }) {
        super(Object.entries(form.fields))
      }
    },
    location: { href: 'https://venue.test/filials/1?item=2' },
    document: {
      body: {
        dataset: {} as Record<string, unknown>,
        lastChild: null as unknown,
        insertAdjacentHTML(_where: string, html: string) {
          assert.match(html, /^<form method=post action=\/cart\/mutations hidden>/)
          const fields = [{ value: '' }, { value: '' }]
          this.lastChild = Object.assign(fields, {
            submit: () =>
              posted.push({ queue: JSON.parse(fields[0]?.value ?? ''), back: fields[1]?.value ?? '' }),
          })
        },
      },
    },
  }
  scope.self = scope
  const context = vm.createContext(scope)
  if (old) vm.runInContext('delete Array.prototype.findLast', context)
  vm.runInContext(EARLY_SCRIPT, context)

  /** A button stands in a form, which its press may not be of. */
  function submit(target: object, button: object = { name: '', value: '' }, inside = target): FakeEvent {
    const isEarly = 'dataset' in inside && (inside.dataset as { early?: string }).early !== undefined
    const event = {
      target,
      submitter: { ...button, closest: () => (isEarly ? inside : null) },
      prevented: false,
      preventDefault() {
        this.prevented = true
      },
    }
    listener(event)
    return event
  }
  const form = {
    dataset: { early: '1' },
    fields: { filial: '1', product: '5' },
    ariaBusy: null,
    method: 'post',
    action: 'https://venue.test/cart/lines',
    querySelector: () => count,
  }
  const order = { dataset: {}, fields: {}, method: 'post' }
  /** Whether the browser follows a press on something of the page. */
  const follows = (link: object | null) => {
    const press = scope.onclick as (event: { target: { closest: () => object | null } }) => boolean
    return press({ target: { closest: () => link } })
  }
  /** Whether the browser sends a form that neither the script nor the app has taken. */
  const sends = () => (scope.onsubmit as () => boolean)()
  const { body } = scope.document as { body: { dataset: { off?: boolean } } }
  /** Whether the page says that there is no network. */
  const saysOffline = () => body.dataset.off === true
  const network = scope.navigator as { onLine: boolean }
  return { scope, storage, posted, timers, count, form, order, submit, follows, sends, saysOffline, network }
}

/** A button as a stepper has it. */
const one = { name: 'delta', value: '1' }

const taps = (scope: Record<string, unknown>) => scope._early as Tap[]

test('each tap is kept with an id of its own and shows at once', () => {
  const { scope, storage, count, form, submit, timers } = page()
  assert.ok(submit(form, one).prevented)
  submit(form, one)
  submit(form, { name: 'delta', value: '-1' })
  assert.equal(String(count.innerText), '3')
  assert.equal(String(form.ariaBusy), 'true')
  assert.equal(timers.length, 1)
  const bodies = taps(scope).map(({ body }) => new URLSearchParams(body))
  assert.equal(bodies.map((body) => body.get('delta')).join(), '1,1,-1')
  const ids = bodies.map((body) => body.get('m') ?? '')
  assert.equal(new Set(ids).size, 3)
  for (const id of ids) assert.match(id, /^[\w-]{22}$/)
  assert.equal(JSON.parse(storage.early ?? '').length, 3)
})

test('after two seconds without the app all of them go as one form', () => {
  const { posted, storage, form, submit, timers } = page()
  submit(form, one)
  submit(form, one)
  timers[0]?.()
  assert.equal(posted.length, 1)
  assert.equal(posted[0]?.queue.length, 2)
  assert.equal(posted[0]?.back, '/filials/1?item=2')
  assert.equal(storage.early, '[]')
  // A tap while the answer is awaited goes again with the others.
  submit(form, one)
  timers[1]?.()
  assert.equal(posted[1]?.queue.length, 3)
})

test('a button of a line that belongs to the order, where there are no scripts, is of its line', () => {
  const { scope, form, order, submit } = page()
  assert.ok(submit(order, one, form).prevented)
  assert.equal(taps(scope)[0]?.action, '/cart/lines')
})

test('the app takes the taps over: the script falls silent', () => {
  const { scope, posted, form, submit, timers } = page()
  submit(form, one)
  assert.equal(taps(scope).splice(0).length, 1)
  scope._early = undefined
  timers[0]?.()
  assert.equal(posted.length, 0)
  assert.equal(submit(form, one).prevented, false)
})

test('the order goes natively at once, but never before the taps that it is about', () => {
  const { posted, order, form, submit } = page()
  assert.equal(submit(order).prevented, false)
  submit(form, one)
  assert.equal(submit(order).prevented, true)
  assert.equal(posted.length, 1)
})

test('a link does not wait: the taps go at once, and lead where it does', () => {
  const { scope, posted, form, submit, follows } = page()
  const link = { href: 'https://venue.test/cart?lang=ru' }
  assert.equal(follows(link), true)
  submit(form, one)
  assert.equal(follows(null), true)
  assert.equal(follows(link), false)
  assert.deepEqual(
    posted.map(({ back, queue }) => [back, queue[0]?.action, queue.length]),
    [['/cart?lang=ru', '/cart/lines', 1]],
  )
  taps(scope).splice(0)
  assert.equal(follows(link), true)
})

test('what the page before left behind is sent too', () => {
  const { posted, timers } = page('[{"action":"/cart/lines","body":"m=a"}]')
  timers[0]?.()
  assert.deepEqual(posted[0]?.queue, [{ action: '/cart/lines', body: 'm=a' }])
})

test('blocked storage changes nothing', () => {
  const fake = page()
  Object.defineProperty(fake.scope, 'sessionStorage', {
    get() {
      throw new Error('SecurityError')
    },
  })
  assert.ok(fake.submit(fake.form, one).prevented)
  assert.equal(taps(fake.scope).length, 1)
})

test('in a browser in which the app does not run no tap is taken: the form goes to the server at once', () => {
  const { form, submit, timers, storage } = page(undefined, { old: true })
  assert.equal(submit(form, one).prevented, false)
  assert.deepEqual([timers.length, storage], [0, {}])
})

test('without a network no link and no form leaves the page, which says so', () => {
  const { follows, sends, saysOffline, network } = page()
  const link = { href: 'https://venue.test/cart' }
  assert.deepEqual([follows(link), follows(null), sends(), saysOffline()], [true, true, true, false])
  network.onLine = false
  // What is no link does what it does.
  assert.deepEqual([follows(null), saysOffline()], [true, false])
  assert.deepEqual([follows(link), saysOffline(), sends()], [false, true, false])
  network.onLine = true
  assert.deepEqual([follows(link), sends(), saysOffline()], [true, true, false])
})

test('the same where the app does not run, and after it has taken over', () => {
  const before = page(undefined, { old: true })
  const after = page()
  after.scope._early = undefined
  for (const { follows, sends, network } of [before, after]) {
    network.onLine = false
    assert.deepEqual([follows({}), sends()], [false, false])
  }
})

test('taps wait for a network, and go without the app when there is one', () => {
  const { posted, form, order, submit, timers, network, saysOffline } = page()
  network.onLine = false
  assert.ok(submit(form, one).prevented)
  timers[0]?.()
  assert.deepEqual([posted.length, saysOffline()], [0, true])
  // The order waits behind the taps that it is about.
  assert.ok(submit(order).prevented)
  assert.equal(posted.length, 0)
  network.onLine = true
  timers[1]?.()
  assert.equal(posted[0]?.queue.length, 1)
})

test('the script fits in its kilobyte and can stand inside a script element', () => {
  assert.ok(EARLY_SCRIPT.length <= 1024, `${EARLY_SCRIPT.length} bytes`)
  assert.doesNotMatch(EARLY_SCRIPT, /<\/script|<!--|[^\x20-\x7e]/i)
})
