/**
 * What a host app may push to the app that runs inside of it (LC-17): the language, as a message of its page or of a
 * script that it has put into ours. Everything else about hosts is asked for, not pushed.
 */

import type { Lang } from '../page-data.ts'

type Options = {
  /** Origins that are believed beside our own. */
  hosts: readonly string[]
  /** Languages of the page's country. */
  langs: readonly Lang[]
  /** The page speaks this one. */
  lang: Lang
  /** Opens the same page in another language. */
  onLanguage: (lang: Lang) => void
}

/** Returns how to stop. */
export function listenToHost({ hosts, langs, lang, onLanguage }: Options): () => void {
  const stop = new AbortController()
  addEventListener(
    'message',
    ({ origin, data }) => {
      if (origin !== location.origin && !hosts.includes(origin)) return
      const code = languageOf(data)
      const wanted = langs.find((one) => one === code)
      if (wanted && wanted !== lang) onLanguage(wanted)
    },
    { signal: stop.signal },
  )
  return () => stop.abort()
}

/** `{ type: 'language', language: 'ru' }`, as an object or as its JSON; `ru-KZ` is `ru`. */
function languageOf(data: unknown): string | undefined {
  const message = typeof data === 'string' ? parsed(data) : data
  if (typeof message !== 'object' || message === null) return
  if (!('type' in message) || message.type !== 'language' || !('language' in message)) return
  return typeof message.language === 'string' ? message.language.toLowerCase().split(/[-_]/)[0] : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
