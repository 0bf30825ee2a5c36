// The bridge of a host app, as server/README.md tells it ("Inside of a host app"), for people to try the product with.

/** Later than the product waits for. */
const LATE = 16_000
const METHODS = [
  ['authorize', 'sign in'],
  ['pay', 'pay'],
  ['scanText', 'scan a QR code'],
  ['scanBarcode', 'scan a barcode'],
  ['geoPermission', 'may it locate'],
  ['locationEnabled', 'is location on'],
  ['position', 'where is the guest'],
  ['cameraPermission', 'may it film'],
  ['notificationPermission', 'may it notify'],
  ['pushToken', 'token of pushes'],
  ['backHandler', 'whose Back it is'],
  ['close', 'back to the host'],
  ['copy', 'clipboard'],
  ['haptic', 'haptics'],
  ['language', 'language'],
  ['userId', 'id of the guest'],
  ['clearCache', 'clear the cache'],
  ['log', 'analytics'],
]
const WAYS = [
  ['good', 'answers'],
  ['never', 'never answers'],
  ['refuses', 'refuses'],
  ['late', 'answers late'],
  ['twice', 'answers twice'],
  ['wrong', 'answers nonsense'],
]

const $ = (id) => document.getElementById(id)
const { web } = document.body.dataset
const frame = $('app')
const own = location.origin
const { open, guest, methods } = { open: $('open'), guest: $('guest'), methods: $('methods') }
const PUSH = { token: 'demo-token', analyticDeviceID: 'demo-device' }

let isBackTheirs = false
let events = 0

// What is written down.

/** A line of the log; what becomes of it is added when it is known. */
function note(from, name, told) {
  const line = document.createElement('li')
  line.dataset.from = from
  const time = document.createElement('time')
  time.textContent = new Date().toTimeString().slice(0, 8)
  line.append(time, ' ', Object.assign(document.createElement('b'), { textContent: name }))
  if (told !== undefined) line.append(' ', code(told))
  $('log').prepend(line)
  return (text, value) => {
    const end = Object.assign(document.createElement('span'), { textContent: `→ ${text}` })
    if (value !== undefined) end.append(' ', code(value))
    line.append(end)
  }
}

const code = (value) => Object.assign(document.createElement('code'), { textContent: JSON.stringify(value) })

const tell = (name, text) => {
  $(`told-${name}`).textContent = text
}

// What the host says: to the product in the frame, at its own origin alone.

function say(message) {
  if (frame.hidden) return
  note('host', message.type, message.language ?? message.token)
  frame.contentWindow.postMessage(message, web)
}

const answer = (id, told) => frame.contentWindow?.postMessage({ type: 'answer', id, ...told }, web)

// The host's own pages over the product.

/** Shows a sheet; answers the value of the button that was pressed, with what was chosen. */
function ask(what, prepare) {
  return new Promise((resolve) => {
    const sheet = document.createElement('form')
    sheet.className = 'sheet'
    sheet.setAttribute('role', 'dialog')
    sheet.append($(`ask-${what}`).content.cloneNode(true))
    const title = sheet.querySelector('h2')
    sheet.setAttribute('aria-label', title.textContent)
    function end(value) {
      const { code: chosen } = Object.fromEntries(new FormData(sheet))
      sheet.remove()
      frame.inert = $('sheets').childElementCount > 0
      resolve({ value, chosen })
    }
    sheet.addEventListener('submit', (event) => {
      event.preventDefault()
      end(event.submitter?.value ?? 'closed')
    })
    // As the hardware's Back does.
    sheet.addEventListener('dismiss', () => end(what === 'authorize' ? 'dismissed' : 'closed'))
    $('sheets').append(sheet)
    frame.inert = true
    prepare?.(sheet, end)
    sheet.querySelector('select, button').focus()
  })
}

async function scan(isText) {
  const { value, chosen } = await ask('scan', (sheet) => {
    // What it is asked for lies in front of it.
    const wanted = [...sheet.elements.code.options].find((one) => /^\d+$/.test(one.value) !== isText)
    if (wanted) wanted.selected = true
  })
  if (value !== 'read') return { outcome: 'closed' }
  return { outcome: 'success', text: chosen, format: /^\d+$/.test(chosen) ? 'ean_13' : 'qr_code' }
}

/** The bank's page is one of the sandbox: a frame of it is seen from here until it leads back to the product. */
async function pay({ url }) {
  const how = guest.elements.pay.value
  if (how !== 'bank') return { outcome: how }
  const bank = new URL(url)
  if (bank.port !== location.port || !bank.pathname.startsWith('/pay/')) {
    window.open(url, '_blank', 'noopener')
    return { outcome: 'closed' }
  }
  const { value } = await ask('pay', (sheet, end) => {
    const page = sheet.querySelector('iframe')
    page.src = own + bank.pathname + bank.search
    page.addEventListener('load', () => {
      if (!page.contentDocument) end('success')
    })
  })
  return { outcome: value }
}

/** What a host that knows its guest hands over: the upstream makes it. */
async function track() {
  const made = await fetch('/api/v1/oauth2/tracks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: guest.elements.phone.value, code: '1234' }),
  })
  return (await made.json()).data.id
}

async function authorize({ silent }) {
  const wanted = silent
    ? { value: guest.elements.known.checked ? 'success' : 'dismissed' }
    : await ask('authorize')
  if (wanted.value !== 'success') return { outcome: wanted.value }
  try {
    return { outcome: 'success', trackId: await track() }
  } catch {
    return { outcome: 'error' }
  }
}

// What each method does here, and answers; nothing is "done".

const ANSWERS = {
  authorize,
  pay,
  scanText: () => scan(true),
  scanBarcode: () => scan(false),
  geoPermission: () => guest.elements.geo.value,
  cameraPermission: () => guest.elements.camera.value,
  notificationPermission: () => guest.elements.notifications.value,
  locationEnabled: () => guest.elements.located.checked,
  position() {
    const [latitude, longitude] = guest.elements.place.value.split(',').map(Number)
    return { latitude, longitude, accuracy: 20 }
  },
  pushToken: () => PUSH,
  backHandler: ({ on }) => whoseBack(on),
  close: () => void setTimeout(leave),
  async copy({ text }) {
    tell('copy', text)
    await navigator.clipboard.writeText(text)
  },
  haptic() {
    navigator.vibrate?.(10)
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const shake = ['0', '-3px', '3px', '0'].map((x) => ({ transform: `translateX(${x})` }))
    $('phone').animate(shake, 120)
  },
  language({ language }) {
    tell('language', language)
    guest.elements.language.value = language
  },
  userId: ({ id }) => tell('guest', id ?? 'nobody'),
  clearCache() {},
  log() {
    events += 1
    tell('events', events)
  },
}

function whoseBack(on) {
  isBackTheirs = on
  $('whose').textContent = on ? 'Back belongs to the product.' : 'Back closes the product.'
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function take({ id, method, params }) {
  const known = METHODS.some(([name]) => name === method)
  const ended = note('app', String(method), params)
  const how = known ? methods.elements[method].value : 'refuses'
  if (how === 'never') return ended('no answer')
  if (how === 'refuses') {
    ended('refused')
    return answer(id, { error: 'no such method' })
  }
  if (how === 'wrong') {
    ended('nonsense', 42)
    return answer(id, { value: 42 })
  }
  let value
  try {
    value = (await ANSWERS[method](params ?? {})) ?? true
  } catch (error) {
    ended(`failed: ${error.message}`)
    return answer(id, { error: 'failed' })
  }
  if (how === 'late') {
    ended('is answered in 16 s')
    await wait(LATE)
  }
  answer(id, { value })
  if (how === 'twice') answer(id, { value })
  ended('answered', value)
}

addEventListener('message', ({ data, origin, source }) => {
  // Only the product in our frame is answered.
  if (origin !== web || source !== frame.contentWindow || data?.type !== 'call') return
  void take(data)
})

// What the person who tries it does.

function enter() {
  const { mode, path } = open.elements
  const address = new URL(path.value, web)
  address.searchParams.set('platform', mode.value)
  address.searchParams.set('lang', guest.elements.language.value)
  whoseBack(false)
  note('host', 'opens', address.pathname + address.search)
  $('home').hidden = true
  frame.hidden = false
  frame.src = address
}

function leave() {
  for (const sheet of [...$('sheets').children]) sheet.dispatchEvent(new Event('dismiss'))
  frame.hidden = true
  frame.src = 'about:blank'
  $('home').hidden = false
  whoseBack(false)
  note('host', 'has closed the product')
  $('enter').focus()
}

open.addEventListener('submit', (event) => {
  event.preventDefault()
  enter()
})
$('enter').addEventListener('click', enter)
$('leave').addEventListener('click', () => frame.hidden || leave())
$('back').addEventListener('click', () => {
  const sheet = $('sheets').lastElementChild
  if (sheet) sheet.dispatchEvent(new Event('dismiss'))
  else if (isBackTheirs) say({ type: 'back' })
  else if (!frame.hidden) leave()
})
guest.addEventListener('submit', (event) => event.preventDefault())
guest.elements.language.addEventListener('change', ({ target }) =>
  say({ type: 'language', language: target.value }),
)
for (const button of document.querySelectorAll('[data-say]'))
  button.addEventListener('click', () => {
    const type = button.dataset.say
    say(type === 'pushToken' ? { type, ...PUSH } : { type })
  })
$('clear').addEventListener('click', () => $('log').replaceChildren())

function choices(select) {
  for (const [value, name] of WAYS) select.append(new Option(name, value))
  return select
}

for (const [name, what] of METHODS) {
  const label = document.createElement('label')
  const said = document.createElement('span')
  said.append(code(name), ` ${what}`)
  said.querySelector('code').textContent = name
  label.append(said, choices(Object.assign(document.createElement('select'), { name })))
  $('switches').append(label)
}
choices($('all')).addEventListener('change', ({ target }) => {
  for (const [name] of METHODS) methods.elements[name].value = target.value
})

enter()
