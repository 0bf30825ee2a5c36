/** The texts of the page's language. They come through the tree, never from a module: one isolate serves all languages. */

import { createContext, type ReactNode, useContext } from 'react'
import type { Lang } from '../page-data.ts'
import { type Catalogue, formatMessage, type Values } from './message.ts'
import type { Messages } from './messages.gen.ts'

/** A key of the catalogues. */
type MessageKey = keyof Messages

type Arguments<K extends MessageKey> = keyof Messages[K] extends never ? [] : [values: Messages[K]]

/** Gives the text of a key; keys and placeholders are checked by the types. */
export type Text = {
  <K extends MessageKey>(key: K, ...values: Arguments<K>): string
  /** The text of a key that comes from data (`flash.${kind}`), or undefined where there is none. */
  maybe(key: string, values?: Values): string | undefined
  lang: Lang
}

/** `fallback` is the language of the country that missing texts are written in (LC-03). */
export function createText(lang: Lang, catalogue: Catalogue, fallback: Lang = lang): Text {
  function text(key: string, values?: Values): string {
    const message = catalogue[key]
    return message === undefined ? '' : formatMessage(message, { ...values, '': fallback }, lang)
  }
  function maybe(key: string, values?: Values): string | undefined {
    return Object.hasOwn(catalogue, key) ? text(key, values) : undefined
  }
  return Object.assign(text, { maybe, lang })
}

const TextContext = createContext<Text | null>(null)

export function TextProvider({ text, children }: { text: Text; children: ReactNode }) {
  return <TextContext value={text}>{children}</TextContext>
}

/** `const t = useText(); t('cart.count', { count: 3 })` */
export function useText(): Text {
  const text = useContext(TextContext)
  if (!text) throw new Error('no TextProvider')
  return text
}
