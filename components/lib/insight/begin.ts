/**
 * Tells our own server what guests do, which errors browsers meet and how pages feel (AN-01 to AN-08, HT-11). Fetched at
 * rest: never before the first paint, and no part of a first visit. The app works where it is blocked.
 */

import { actions } from '../../paths.ts'
import { onTrack, track } from '../browser/events.ts'
import { readStored, writeStored } from '../browser/storage.ts'
import { mutationId } from '../mutations/mutation-id.ts'
import type { PageData } from '../page-data.ts'
import { type Log, whenAllowed } from './allowed.ts'
import { type Batch, createBatch } from './batch.ts'
import { faultOf, type Thrown } from './fault.ts'
import { createSession } from './session.ts'
import { clientSettings } from './settings.ts'

/** When the script that measures is fetched, milliseconds: the browser buffers what was before. */
const MEASURED = 8000

/** `shown` is the page of the moment; `faults` holds what was thrown and not caught until it is told. */
export async function begin(shown: () => PageData, faults: Thrown[]): Promise<void> {
  const [settings, log] = await Promise.all([clientSettings(), whenAllowed()])
  if (!settings) return
  const session = createSession({
    now: Date.now,
    // A tablet keeps nothing from one guest to the next.
    read: () => (shown().shell.kiosk ? undefined : readStored('analyticsSession')),
    write: (stored) => shown().shell.kiosk || writeStored('analyticsSession', stored),
    name: mutationId,
    began: () => track({ name: 'appOpened' }),
  })
  const batch = createBatch({ now: Date.now, session, send: (events) => send(events, log) })

  if (settings.analytics) {
    onTrack((event) => {
      // The server has seen it itself.
      if (event.name === 'serviceChanged') return
      if (!log) return batch.event(event)
      log(event)
      // Where the guest gets on, the server has seen something as well.
      batch.ask()
    })
    if (log) batch.ask()
    session()
    for (const sign of ['pointerdown', 'keydown', 'pageshow']) addEventListener(sign, session, true)
  }
  const gather = () => {
    if (!settings.faults) return
    const of = { page: shown().page.route, build: document.documentElement.dataset.build }
    if (hasReloaded()) batch.fault({ kind: 'reload', ...of })
    for (const { kind, error } of faults.splice(0)) {
      const fault = faultOf(kind, error)
      if (fault) batch.fault({ ...fault, ...of })
    }
  }
  gather()
  const flush = () => {
    gather()
    batch.flush()
  }
  setInterval(gather, MEASURED)
  if (settings.faults)
    setTimeout(() => void import('./vitals.ts').then(({ measure }) => measure(batch.vital), ignore), MEASURED)
  addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', () => document.hidden && flush())
}

/** Parts of the app that were gone, on the page before this one (RT-12). */
function hasReloaded(): boolean {
  const reloaded = readStored('reloaded')
  const reported = Number(readStored('reloadsTold') ?? 0)
  if (!Array.isArray(reloaded) || reloaded.length <= reported) return false
  writeStored('reloadsTold', reloaded.length)
  return true
}

/** It outlives the page, and its loss does no harm. Only what a host has to log is waited for. */
function send(batch: Batch, log: Log | null): void {
  const body = JSON.stringify(batch)
  if (!log && navigator.sendBeacon?.(actions.events(), body)) return
  fetch(actions.events(), { method: 'POST', body, keepalive: true })
    .then(async (answer) => {
      if (log && answer.status === 200) for (const event of await answer.json()) log(event)
    })
    .catch(ignore)
}

function ignore(): void {}
