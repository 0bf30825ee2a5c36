/**
 * In which language a text of the upstream is (LC-24): venues do not translate everything, and a screen reader has to
 * know. Told by the letters, the same on the server and in the browser; what can't be told is left to the page.
 */

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Lang } from '../page-data.ts'
import { useText } from './text.tsx'

/** The language of a text where it is another one than the page's. */
export type TextLanguage = (text: string) => Lang | undefined

/** In nearly every Kazakh phrase, in no Russian one. */
const KAZAKH = /[әғқңөұүһі]/i
/** A Kazakh text this long has none of its own letters in about 1 of 250 cases. */
const LONG = 25

/** How many letters of each script a text has: every text of a menu is asked, so it is read once and nothing is made. */
function lettersOf(text: string): { cyrillic: number; georgian: number; latin: number } {
  let [cyrillic, georgian, latin] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Lower case by one bit, as letters without accents have it.
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a) latin++
    else if (code >= 0x400 && code <= 0x4ff) cyrillic++
    else if (code >= 0x10d0 && code <= 0x10fa) georgian++
  }
  return { cyrillic, georgian, latin }
}

/**
 * How the texts of a page are told apart. `sample` are texts of one place: a single name such as "Плов" may be of two
 * languages, a menu full of them is not.
 */
export function createTextLanguage(page: Lang, sample = ''): TextLanguage {
  const { cyrillic, georgian, latin } = lettersOf(sample)
  const isRussian = cyrillic >= LONG && cyrillic > latin && !KAZAKH.test(sample)
  const isLatin = latin > LONG && latin > cyrillic + georgian

  function langOf(text: string): Lang | undefined {
    const { cyrillic: own, georgian: other, latin: foreign } = lettersOf(text)
    if (other > own && other > foreign) return 'ka'
    if (own > foreign) {
      if (KAZAKH.test(text)) return 'kk'
      return page !== 'kk' || isRussian || own >= LONG ? 'ru' : undefined
    }
    // A name in Latin letters among others, such as a brand's, is of no language.
    return foreign > 0 && isLatin ? 'en' : undefined
  }
  return (text) => {
    const lang = langOf(text)
    return lang === page ? undefined : lang
  }
}

const TextLanguageContext = createContext<TextLanguage | null>(null)

/** Texts of one place inside are told apart by all of them. */
export function TextLanguageProvider({ texts, children }: { texts: readonly string[]; children: ReactNode }) {
  const { lang } = useText()
  const sample = texts.slice(0, MOST).join(' ')
  const langOf = useMemo(() => createTextLanguage(lang, sample), [lang, sample])
  return <TextLanguageContext value={langOf}>{children}</TextLanguageContext>
}

/** More tell no more. */
const MOST = 60

export function useTextLanguage(): TextLanguage {
  const { lang } = useText()
  return useContext(TextLanguageContext) ?? createTextLanguage(lang)
}
