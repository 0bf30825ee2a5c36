/**
 * Notifications (PU-03, PU-07). What the service that sends them says: `{ id, title, body, path }`, where title and body are
 * a text, or one in each language: then the guest's is taken.
 */

import { texts } from 'build:worker-texts'
import { readCached } from '../lib/offline/cached.ts'
import { formatMessage, type Message } from '../lib/text/message.ts'
import { actions } from '../paths.ts'
import { type Clicks, type Pushes, scope } from './scope.ts'

type Note = { id: string; path: string }

export async function shown({ data }: Pushes): Promise<void> {
  const payload = read(data)
  const lang = (await readCached('lang')) ?? 'kk'
  const words = (value: unknown) => {
    const own = typeof value === 'object' && value !== null ? Object(value)[lang] : value
    return typeof own === 'string' ? own : ''
  }
  // Browsers ask for a notification at every push: words of our own replace what can't be read.
  const title = words(payload.title) || formatMessage(texts[lang]['offline.push'] as Message, {}, lang)
  const note: Note = { id: typeof payload.id === 'string' ? payload.id : '', path: pathOf(payload.path) }
  // The types of the DOM leave `renotify` out.
  const options: NotificationOptions & { renotify: boolean } = {
    body: words(payload.body),
    lang,
    icon: '/static/icon-192.png',
    // A newer word about the same order takes the place of the one before, and is heard as well.
    tag: note.path,
    renotify: true,
    data: note,
  }
  await scope.registration.showNotification(title, options)
}

export async function opened({ notification }: Clicks): Promise<void> {
  notification.close()
  const { id, path } = notification.data as Note
  const report = id ? tell(id) : undefined
  const url = new URL(path, location.origin).href
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find((one) => one.url === url)
  await (open ? open.focus() : scope.clients.openWindow(url))
  await report
}

async function tell(id: string): Promise<void> {
  try {
    await fetch(actions.openedPush(), {
      method: 'POST',
      body: new URLSearchParams({ id }),
      headers: { accept: 'application/json' },
    })
  } catch {
    // Lost: it is not sent again.
  }
}

function read(data: Pushes['data']): { id?: unknown; title?: unknown; body?: unknown; path?: unknown } {
  try {
    const payload = data?.json()
    return typeof payload === 'object' && payload !== null ? payload : {}
  } catch {
    return {}
  }
}

/** A page of ours; anything else is the list of orders. */
function pathOf(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/orders'
}
