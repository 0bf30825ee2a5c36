/**
 * How messages get to a host app and back (HB-17, S-22). A webview has an object in our window and answers by a script in
 * our page. A page that has ours in a frame is told by `postMessage` to its own origin, and believed only as our parent.
 */

import type { Native } from '../browser/host-app.ts'
import { createListeners } from '../browser/listeners.ts'
import { fields } from './methods.ts'

type Message = Readonly<Record<string, unknown>>

declare global {
  interface Window {
    /** The last message that the inline script has heard. */
    _said?: MessageEvent
  }
}

export type Channel = {
  /** There is a host to be told. */
  isOpen: () => boolean
  /** Throws where no host can be reached. */
  send: (message: object) => void
  hear: (listener: (message: Message) => void) => void
}

/** `hosts` are the origins that the settings name. */
export function openChannel(hosts: readonly string[]): Channel {
  const { subscribe, tell } = createListeners<[message: Message]>()
  let heardFrom: string | undefined

  function read(event: unknown): Message | undefined {
    if (!(event instanceof MessageEvent)) return
    const from = senderOf(event, hosts)
    if (!from) return
    if (from !== location.origin) heardFrom = from
    return fields(typeof event.data === 'string' ? parsed(event.data) : event.data)
  }
  function take(event: Event): void {
    const message = read(event)
    if (message) tell(message)
  }
  // What was said before there was a listener here is told to each who does.
  const before = read(window._said)
  addEventListener('message', take)
  // React Native tells the document on Android.
  document.addEventListener('message', take)

  const isFramed = () => parent !== window && hosts.length > 0
  return {
    isOpen: () => native() !== undefined || isFramed(),
    send(message) {
      const own = native()
      if (own) own.postMessage(JSON.stringify(message))
      else if (isFramed()) for (const origin of targets(hosts, heardFrom)) parent.postMessage(message, origin)
      else throw new Error('there is no host')
    },
    hear(listener) {
      subscribe(listener)
      if (before) listener(before)
    },
  }
}

/** Whom a message is believed to come from; undefined: it is not from a host. */
export function senderOf(
  { origin, source }: Pick<MessageEvent, 'origin' | 'source'>,
  hosts: readonly string[],
): string | undefined {
  if (parent !== window && source === parent) return hosts.includes(origin) ? origin : undefined
  if (source && source !== window) return
  // A script of the host in our page. One that makes the event itself names no origin; no other page can do that.
  return origin === location.origin || (origin === '' && native()) ? location.origin : undefined
}

/** What webviews put into our window. */
function native(): Native['ReactNativeWebView'] {
  const { ReactNativeWebView, webkit } = window as Native
  return ReactNativeWebView ?? webkit?.messageHandlers?.dastarkhan
}

/** The origin of the page around ours where that is known, else all that may be: no other is told. */
function targets(hosts: readonly string[], heardFrom: string | undefined): readonly string[] {
  const { ancestorOrigins } = location
  const known = heardFrom ?? ancestorOrigins?.[0]
  return known && hosts.includes(known) ? [known] : hosts
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
