/**
 * A line for a new visitor whose browser has another language than the page. The page never changes by itself
 * (LC-01), and what is kept for all says nothing of it: the browser alone knows what its owner reads. Without scripts
 * there is the list of languages in the header.
 */

import { paths } from '../../paths.ts'
import type { Lang, PageData, Shell } from '../page-data.ts'
import { isHosted } from './host-app.ts'
import { readCookie, readStored, writeStored } from './storage.ts'

/** In the language that is offered, not in that of the page. */
const WORDS = {
  kk: ['Қазақша ашу', 'Жабу'],
  ru: ['Открыть по-русски', 'Закрыть'],
  en: ['Open in English', 'Close'],
  ka: ['ქართულად გახსნა', 'დახურვა'],
} satisfies Record<Lang, readonly [open: string, close: string]>

/** The first language of the browser that the country has, if the page is in another one that was not chosen. */
function otherLanguage({ lang, langs, kiosk }: Shell): Lang | null {
  const isChosen = readCookie('lang') || /[?&]lang=/.test(location.search) || readStored('languageOffered')
  // A host app says itself which language its owner reads.
  if (isChosen || kiosk || isHosted()) return null
  const read = navigator.languages.map((tag) => tag.split('-', 1)[0])
  const first = read.flatMap((tag) => langs.find((one) => one === tag) ?? [])[0]
  return first && first !== lang ? first : null
}

/** Lays the line over the page, if there is another language to offer: nothing under it moves. */
export function offerLanguage(shown: { readonly current: PageData }): void {
  const to = otherLanguage(shown.current.shell)
  if (!to) return
  const [open, close] = WORDS[to]
  const link = document.createElement('a')
  link.textContent = open
  link.hreflang = to
  link.style.cssText = 'padding-block:.75rem;font-weight:600'
  // The page of the moment: the guest may have gone on since.
  const lead = () => {
    link.href = paths.inLang(shown.current.shell.url, to)
  }
  lead()
  link.addEventListener('click', lead)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '×'
  button.setAttribute('aria-label', close)
  const line = document.createElement('aside')
  line.className = 'toast'
  line.dataset.stays = ''
  line.dataset.language = ''
  line.lang = to
  line.setAttribute('aria-label', open)
  // Messages lie over it.
  line.style.cssText = 'z-index:3;padding-block:0'
  line.append(link, button)
  button.addEventListener('click', () => {
    line.remove()
    writeStored('languageOffered', true)
  })
  document.body.append(line)
  // Who reads on or has begun to choose can read the page: it lies on prices no longer.
  const goes = new AbortController()
  const go = () => {
    line.remove()
    goes.abort()
  }
  addEventListener('submit', go, goes)
  addEventListener('scroll', () => scrollY > innerHeight / 2 && go(), { passive: true, signal: goes.signal })
}
