/**
 * Runs inline before anything else. Until the app is hydrated it takes the submits of `form[data-early]`, so that no tap
 * is lost and none counts twice: each gets a mutation id, shows itself at once and waits for the app. If the app does
 * not come within two seconds, all of them are posted as one plain form; what is tapped while that is under way is
 * posted again together with it, since the server takes each id once.
 *
 * It also keeps the page where there is no network: a full load would be the browser's own error page. That holds from
 * the first byte on and as long as the page is there, since what is fetched later may never come.
 *
 * Every byte counts here (at most 1 KB), so it trusts its own page where the rest of the code would ask twice.
 */

type Tap = { action: string; body: string }
type Submit = Event & { target: HTMLFormElement; submitter: HTMLButtonElement }
type PostForm = HTMLFormElement & [HTMLInputElement, HTMLInputElement]
// Set below; the app takes it away.
declare let _early: Tap[] | undefined
declare let _said: MessageEvent

let timer: ReturnType<typeof setTimeout> | 0 | undefined

/** Keeps taps, or tells which are kept. Storage may throw. */
const store = (taps?: Tap[]) => {
  try {
    return taps ? (sessionStorage.early = JSON.stringify(taps)) : JSON.parse(sessionStorage.early)
  } catch {}
}

// The app empties the list and takes it away when it is hydrated: from then on no tap is taken here.
// It begins with what another page left behind when it was closed with changes unanswered.
const queue: Tap[] = (_early = store() || [])

/** The words about it are in the page, and shown by this attribute until the app tells it. */
const isOffline = () => (document.body.dataset.off = !navigator.onLine as never)

const wait = () => (timer ||= setTimeout(post, 2000))

const pathOf = (address: string) => address.split(origin)[1] as string

/** Posts what is kept, and leads to the page of `link` behind it, or back here. */
const post = (link?: HTMLAnchorElement | null, { body } = document, form?: PostForm): undefined => {
  timer = 0
  if (queue[0] && !(isOffline() && wait())) {
    body.insertAdjacentHTML(
      'beforeend',
      '<form method=post action=/cart/mutations hidden><input name=queue><input name=back>',
    )
    form = body.lastChild as PostForm
    form[0].value = JSON.stringify(queue)
    form[1].value = pathOf((link || location).href)
    store([])
    form.submit()
  }
}

if (queue[0]) wait()

// What the app answers itself is prevented before it comes here, by the app. The next page must not be without what was
// tapped on this one: the taps go first.
// biome-ignore lint/suspicious/noGlobalAssign: it is the window's handler, five bytes shorter than with its owner
onclick = (press, link = (press.target as Element).closest<HTMLAnchorElement>('a[href^="/"]')) =>
  !link || !(queue[0] ? !post(link) : isOffline())
// What a host app says before the app listens: the last word counts (`components/lib/host/channel.ts`).
// biome-ignore lint/suspicious/noGlobalAssign: the window's handler, as above
onmessage = (said) => (_said = said)
// biome-ignore lint/suspicious/noGlobalAssign: the window's handler, as above
onsubmit = () => !isOffline()

// The line of `components/README.md`, by the newest thing that the app uses: below it there is no app to wait for.
if (([] as { findLast?: unknown }).findLast)
  addEventListener(
    'submit',
    (
      event,
      // Without scripts a line's button belongs to the form of the order: here it belongs to its line.
      button = (event as Submit).submitter,
      form = _early && button?.closest<HTMLFormElement>('[data-early]'),
      data?: FormData,
      count?: HTMLElement | null,
    ) =>
      (form
        ? ((data = new FormData(form)),
          (count = form.querySelector('b')),
          data.set(button.name, button.value),
          // 22 digits. A cart alone remembers them, so that they need to be different, not secret.
          data.set('m', Math.random().toFixed(22).slice(2)),
          queue.push({
            action: pathOf(form.action),
            body: `${new URLSearchParams(data as never)}`,
          }),
          store(queue),
          // Minus a minus: adds numbers that are texts.
          count &&
            (count.innerText = Math.max(
              0,
              (count.innerText as never) - -(data.get('delta') as never),
            ) as never),
          // biome-ignore lint/complexity/noCommaOperator: as statements all of it would be 20 bytes more
          (form.ariaBusy = true as never),
          wait())
        : // A post, behind `get` and `dialog`. What is ordered must be what is shown: the taps go first, and the guest sees
          // the new sum.
          queue[0] && (event as Submit).target.method > 'h' && !post()) && event.preventDefault(),
    1 as never,
  )
