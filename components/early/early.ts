/**
 * Runs inline before anything else. Until the app is alive it takes the submits of `form[data-early]`, so that no tap
 * is lost and none counts twice: each gets a mutation id, shows itself at once and waits for the app. If the app does
 * not come within two seconds, all of them are posted as one plain form. Every byte counts here (at most 1 KB).
 */

type Tap = { action: string; body: string }

let queue: Tap[] = []
let timer: ReturnType<typeof setTimeout> | 0 = 0

// What another page left behind when it was closed with changes unanswered.
try {
  queue = JSON.parse(sessionStorage.early)
} catch {}

function keep() {
  try {
    sessionStorage.early = JSON.stringify(queue)
  } catch {}
}

function wait() {
  timer ||= setTimeout(post, 2000)
}

/** Hands the taps over and goes silent. */
function take(): Tap[] {
  const taps = queue
  queue = []
  keep()
  clearTimeout(timer)
  document.removeEventListener('submit', onSubmit, true)
  return taps
}

function post() {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/cart/mutations'
  const fields = { queue: JSON.stringify(take()), back: location.pathname + location.search }
  for (const name in fields) {
    const input = document.createElement('textarea')
    input.name = name
    input.value = fields[name as keyof typeof fields]
    form.append(input)
  }
  form.hidden = true
  document.body.append(form)
  form.submit()
}

function onSubmit(event: SubmitEvent) {
  const form = event.target as HTMLFormElement
  const button = event.submitter as HTMLButtonElement | null
  if (!form.hasAttribute('data-early')) {
    // What is ordered must be what is shown: the taps go first, and the guest sees the new sum.
    if (queue[0] && form.method === 'post') {
      event.preventDefault()
      post()
    }
    return
  }
  event.preventDefault()
  const data = new FormData(form)
  if (button?.name) data.set(button.name, button.value)
  let id = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += String.fromCharCode(byte)
  data.set('m', btoa(id).replace(/\+/g, '-').replace(/\//g, '_').slice(0, 22))
  queue.push({ action: form.getAttribute('action') as string, body: `${new URLSearchParams(data as never)}` })
  keep()
  const count = form.querySelector('[data-count]')
  if (count) count.textContent = `${Math.max(0, +(count.textContent as string) + +(data.get('delta') || 1))}`
  form.setAttribute('aria-busy', 'true')
  wait()
}

if (queue[0]) wait()
document.addEventListener('submit', onSubmit, true)
Object.assign(window, { __early: take })
