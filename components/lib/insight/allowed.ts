/**
 * Whether anything may be told. In a browser it may; a partner's app asks its guest first (HB-14), and takes the
 * events itself (AN-04): until its bridge has said so, everything waits.
 */

import { isHosted } from '../browser/host-app.ts'

/** What a host app does with an event. */
export type Log = (event: { name: string } & Record<string, unknown>) => void

let allow: (log: Log | null) => void = () => {}
const answer = new Promise<Log | null>((resolve) => {
  allow = resolve
})

/** For the bridge of a host: the guest has consented; `log` takes the events. */
export function allowInsight(log: Log | null): void {
  allow(log)
}

/** Resolves when something may be told, with the host that logs events, if there is one. */
export function whenAllowed(): Promise<Log | null> {
  return isHosted() ? answer : Promise.resolve(null)
}
