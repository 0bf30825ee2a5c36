/** What a host is told, and what it says, as long as a document is open. */

import { paths } from '../../paths.ts'
import { here } from '../browser/address.ts'
import { host } from '../browser/host-app.ts'
import { keepPrefix } from '../browser/keep-prefix.ts'
import { readStored, writeStored } from '../browser/storage.ts'
import { load } from '../net/reload.ts'
import type { Lang, PageData } from '../page-data.ts'
import type { Navigation } from '../router/navigation.ts'
import { answerBack, close } from './back.ts'
import type { Host } from './begin.ts'
import { leadOut, postJson } from './leave.ts'
import { clearCaches, logEvents, registerDevice } from './serve.ts'

/** What a finger presses to do something: changes of the cart, and the buttons of forms. */
const FELT = 'form[data-early] button, button.button, a.button'

/** `shown` is the page of the moment. */
export async function watchHost(
  shown: { readonly current: PageData },
  navigation: Navigation,
): Promise<void> {
  const found = await host()
  if (found) watch(found, shown, navigation)
}

function watch(host: Host, shown: { readonly current: PageData }, navigation: Navigation): void {
  const { lang, langs } = shown.current.shell
  host.hear((message) => {
    if (message.type !== 'language') return
    const wanted = languageOf(message.language)
    const offered = langs.find((one) => one === wanted)
    if (offered && offered !== lang) speak(offered)
  })
  answerBack(host, navigation)
  leadOut(host, navigation)
  addEventListener('click', (event) => feel(host, event), true)
  void host.call('language', { language: lang })
  tellUser(host, shown, navigation)
  logEvents(host, shown, navigation)
  registerDevice(host, shown, navigation)
  clearCaches(host, navigation)
  const { dataset } = document.documentElement
  if (dataset.prefix) keepPrefix()
  dataset.hosted = ''
}

/** A full load of the same page, as by the guest's own choice. What is not sent yet is kept for it when this one goes. */
function speak(lang: Lang): void {
  location.replace(paths.inLang(location.pathname + location.search, lang) + location.hash)
}

/** `ru-KZ` is `ru`. */
export function languageOf(code: unknown): string | undefined {
  return typeof code === 'string' ? code.toLowerCase().split(/[-_]/)[0] : undefined
}

/** Only what the guest has pressed is felt, nothing that scripts press (HB-21); and the header's way back to the host. */
function feel(host: Host, { isTrusted, target }: Event): void {
  if (!isTrusted || !(target instanceof Element)) return
  if (target.closest(FELT)) void host.call('haptic', { kind: 'light' })
  if (target.closest('[data-host]')) void close(host)
}

/** Each document tells who has signed in, so that guests are not mixed up with the one before (HB-20). */
function tellUser(host: Host, shown: { readonly current: PageData }, navigation: Navigation): void {
  let sent: string | null | undefined
  const tell = () => {
    const own = shown.current.shell.host
    const id = own?.user ?? null
    if (!own || id === sent) return
    sent = id
    void host.call('userId', { id })
  }
  tell()
  navigation.subscribe(tell)
  const { host: own, url } = shown.current.shell
  if (own && sent === null && !url.startsWith('/consent')) void signInSilently(host, navigation)
}

/**
 * Once, at the start: a guest who has signed out since stays so (HB-04). Nothing waits for its result. It leads nowhere: who
 * has a deleted account and has not asked to sign in reads on, and is asked about it by a sign-in of their own (AU-16).
 * Only where another guest was signed in before the page is loaded anew: what it holds was typed by that one (S-16).
 */
async function signInSilently(host: Host, navigation: Navigation): Promise<void> {
  if (!host.isThere() || readStored('silent') || !writeStored('silent', true)) return
  const answer = await host.call('authorize', { silent: true })
  if (answer?.outcome !== 'success' || !answer.trackId) return
  const done = await postJson('/session/track', new URLSearchParams({ track_id: answer.trackId }))
  // The server's way on for another guest; a deleted account has one of its own.
  if (done?.redirect === '/') load(here())
  else if (done) await navigation.revalidate()
}
