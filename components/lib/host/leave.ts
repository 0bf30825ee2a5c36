/**
 * Where a browser would leave for a bank or for the sign-in page, a host app may have its own (HB-02, HB-03). What it says of
 * a payment is not believed: the server is asked.
 */

import { actions } from '../../paths.ts'
import { note, reach, within } from '../net/connection.ts'
import { load } from '../net/reload.ts'
import type { MutationAnswer } from '../page-data.ts'
import type { Navigation } from '../router/navigation.ts'
import type { Host } from './begin.ts'

/** What the app says before it leaves for another site. */
type Leaving = {
  to: string
  /** The page of ours that tells how the payment stands. */
  paying: string | undefined
}

/** The payment was begun in the host: the page of it is no place to leave by itself. */
export function leadOut(host: Host, navigation: Navigation): void {
  /** The host has failed to: from then on the link of the page leads to the bank. */
  let isAsked = true

  async function pay(url: string): Promise<void> {
    const began = performance.now()
    const outcome = await host.call('pay', { url })
    isAsked = outcome !== undefined
    // Closed is not failed (HB-03), and a silent host may still have it open: the page asks the server. Only a
    // host that has refused at once has nothing open.
    if (outcome === undefined && performance.now() - began < 1000) location.assign(url)
    else await navigation.revalidate()
  }

  addEventListener('leave', (event) => {
    const { to, paying } = (event as CustomEvent<Leaving>).detail
    if (!paying || !isAsked || !host.isThere()) return
    event.preventDefault()
    void navigation.navigate(paying, { waits: true }).then(() => pay(to))
  })

  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (link?.dataset.bank === undefined || !isAsked || !host.isThere()) return
    event.preventDefault()
    void pay(link.href)
  })

  addEventListener('submit', (event) => {
    const { target: form } = event
    // Without a network the early script keeps the page.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    const action = new URL(form.action).pathname
    if (action === actions.signOut()) {
      // The page goes, and with it the sign-in (HB-20).
      void host.call('userId', { id: null })
      void host.call('clearCache')
    }
    if (action !== actions.signIn() || !host.isThere()) return
    event.preventDefault()
    void signIn(host, form)
  })
}

/** By the host, with the address of the sign-in page as the server has made it; without the host on that page. */
async function signIn(host: Host, form: HTMLFormElement): Promise<void> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const answer = await postJson(actions.signIn(), new URLSearchParams(fields))
  // A load would be the browser's own error page.
  if (answer === undefined) return note('lost')
  if (!answer?.redirect) return form.submit()
  if (isOurs(answer.redirect)) return load(answer.redirect)
  const url = answer.redirect
  const query = new URL(url).searchParams
  const state = query.get('state') ?? ''
  const came = await host.call('authorize', {
    url,
    clientId: query.get('client_id') ?? '',
    redirectUri: query.get('redirect_uri') ?? '',
    state,
    codeChallenge: query.get('code_challenge') ?? '',
  })
  if (came?.outcome === 'dismissed') return
  if (came?.outcome !== 'success') return location.assign(url)
  if (came.trackId) {
    const back = fields.find(([name]) => name === 'back')?.[1] ?? '/'
    const done = await postJson('/session/track', new URLSearchParams({ track_id: came.trackId, back }))
    if (done === undefined) return note('lost')
    if (!done) return location.assign(url)
    // A deleted account is asked about first (AU-16).
    return load(done.redirect && isOurs(done.redirect) ? done.redirect : back)
  }
  // One that was begun elsewhere is not ours; the server looks at it once more (S-06).
  if (came.code === undefined || came.state !== state) return location.assign(url)
  load(`/auth?${new URLSearchParams({ code: came.code, state })}`)
}

const isOurs = (to: string) => new URL(to, location.href).origin === location.origin

/** What the server answers; null where it refuses, undefined where nothing comes. */
export async function postJson(
  action: string,
  body: URLSearchParams,
): Promise<MutationAnswer | null | undefined> {
  try {
    return await within(async (signal) => {
      const answer = await reach(action, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json', 'X-Requested-With': 'dastarkhan' },
        signal,
      })
      return answer.ok ? await answer.json() : null
    })
  } catch (error) {
    // What can't be read is no lost network.
    return error instanceof TypeError ? undefined : null
  }
}
