/**
 * Runs inline before anything else. Until the app is alive it takes the submits of `form[data-early]`, so that no tap
 * is lost and none counts twice: each gets a mutation id, shows itself at once and waits for the app. If the app does
 * not come within two seconds, all of them are posted as one plain form; what is tapped while that is under way is
 * posted again together with it, since the server takes each id once. Every byte counts here (at most 1 KB), so it
 * trusts its own page where the rest of the code would ask twice.
 */

type Tap = { action: string; body: string }
type Submit = Event & { target: HTMLFormElement; submitter: HTMLButtonElement | null }

// The app empties the list and takes it away when it is alive: from then on this script is silent.
// It begins with what another page left behind when it was closed with changes unanswered.
const queue: Tap[] = (self._early = store() || [])

let timer: ReturnType<typeof setTimeout> | 0 | undefined

/** Keeps taps, or tells which are kept. Storage may throw. */
function store(taps?: Tap[]) {
  try {
    return taps ? (sessionStorage.early = JSON.stringify(taps)) : JSON.parse(sessionStorage.early)
  } catch {}
}

function post() {
  timer = 0
  if (!queue[0]) return
  const { body } = document
  body.insertAdjacentHTML(
    'beforeend',
    '<form method=post action=/cart/mutations hidden><input name=queue><input name=back>',
  )
  const form = body.lastChild as HTMLFormElement & [HTMLInputElement, HTMLInputElement]
  form[0].value = JSON.stringify(queue)
  form[1].value = location.pathname + location.search
  store([])
  form.submit()
}

if (queue[0]) timer = setTimeout(post, 2000)

// The line of `components/README.md`, by the newest thing that the app uses: below it there is no app to wait for.
if (([] as { findLast?: unknown }).findLast)
  addEventListener(
    'submit',
    (event) => {
      const { target: form, submitter: button } = event as Submit
      if (self._early && 'early' in form.dataset) {
        const data = new FormData(form)
        if (button?.name) data.set(button.name, button.value)
        data.set(
          'm',
          btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
            .replace(/\W/g, 0 as never)
            .slice(0, 22),
        )
        queue.push({
          action: form.getAttribute('action') as string,
          body: `${new URLSearchParams(data as never)}`,
        })
        store(queue)
        const count = form.querySelector('[data-count]')
        // Minus a minus: adds numbers that are texts.
        if (count)
          count.textContent = Math.max(0, (count.textContent as never) - -(data.get('delta') || 1)) as never
        form.ariaBusy = true as never
        timer ||= setTimeout(post, 2000)
      } else if (queue[0] && form.method === 'post') {
        // What is ordered must be what is shown: the taps go first, and the guest sees the new sum.
        post()
      } else return
      event.preventDefault()
    },
    true,
  )
