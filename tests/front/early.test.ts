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
  const count = { textContent: '2' }
  const scope: Record<string, unknown> = {
    sessionStorage: storage,
    location: { pathname: '/filials/1', search: '?item=2' },
    setTimeout: (run: () => void) => timers.push(run),
    addEventListener: (_type: string, added: Listener) => {
      listener = added
    },
    crypto: globalThis.crypto,
    btoa,
    URLSearchParams,
    FormData: class extends Map<string, string> {
      constructor(form: { fields: Record<string, string> }) {
        super(Object.entries(form.fields))
      }
    },
    document: {
      body: {
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

  function submit(form: object, submitter: object | null = null): FakeEvent {
    const event = {
      target: form,
      submitter,
      prevented: false,
      preventDefault() {
        this.prevented = true
      },
    }
    listener(event)
    return event
  }
  const form = {
    dataset: { early: '' },
    fields: { filial: '1', product: '5' },
    ariaBusy: null,
    method: 'post',
    getAttribute: () => '/cart/lines',
    querySelector: () => count,
  }
  const order = { dataset: {}, fields: {}, method: 'post' }
  return { scope, storage, posted, timers, count, form, order, submit }
}

const taps = (scope: Record<string, unknown>) => scope._early as Tap[]

test('each tap is kept with an id of its own and shows at once', () => {
  const { scope, storage, count, form, submit, timers } = page()
  assert.ok(submit(form, { name: 'delta', value: '1' }).prevented)
  submit(form, { name: 'delta', value: '1' })
  submit(form, { name: 'delta', value: '-1' })
  assert.equal(String(count.textContent), '3')
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
  submit(form)
  submit(form)
  timers[0]?.()
  assert.equal(posted.length, 1)
  assert.equal(posted[0]?.queue.length, 2)
  assert.equal(posted[0]?.back, '/filials/1?item=2')
  assert.equal(storage.early, '[]')
  // A tap while the answer is awaited goes again with the others.
  submit(form)
  timers[1]?.()
  assert.equal(posted[1]?.queue.length, 3)
})

test('the app takes the taps over: the script falls silent', () => {
  const { scope, posted, form, submit, timers } = page()
  submit(form)
  assert.equal(taps(scope).splice(0).length, 1)
  scope._early = undefined
  timers[0]?.()
  assert.equal(posted.length, 0)
  assert.equal(submit(form).prevented, false)
})

test('the order goes natively at once, but never before the taps that it is about', () => {
  const { posted, order, form, submit } = page()
  assert.equal(submit(order).prevented, false)
  submit(form)
  assert.equal(submit(order).prevented, true)
  assert.equal(posted.length, 1)
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
  assert.ok(fake.submit(fake.form).prevented)
  assert.equal(taps(fake.scope).length, 1)
})

test('in a browser in which the app does not run no tap is taken: the form goes to the server at once', () => {
  const { form, submit, timers, storage } = page(undefined, { old: true })
  assert.equal(submit(form, { name: 'delta', value: '1' }).prevented, false)
  assert.deepEqual([timers.length, storage], [0, {}])
})

test('the script fits in its kilobyte and can stand inside a script element', () => {
  assert.ok(EARLY_SCRIPT.length <= 1024, `${EARLY_SCRIPT.length} bytes`)
  assert.doesNotMatch(EARLY_SCRIPT, /<\/script|<!--|[^\x20-\x7e]/i)
})
