/** Tells when the guest reaches for a link: the pointer rests on it, a finger touches it, the Tab key leads to it. */

import { here, plain } from './address.ts'

const REST = 65

/** `reach` gets path and query of links inside the app. One listener for all links, also those drawn later. */
export function watchIntent(reach: (url: URL) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function consider(event: Event, delay: number) {
    clearTimeout(timer)
    const url = innerLink(event.target)
    if (url) timer = setTimeout(reach, delay, url)
  }

  const passive = { passive: true, capture: true }
  // The link is being opened: its data is on the way already.
  document.addEventListener('click', () => clearTimeout(timer), passive)
  document.addEventListener('touchstart', (event) => consider(event, REST), passive)
  // A finger that moves scrolls.
  document.addEventListener('touchmove', () => clearTimeout(timer), passive)
  // The focus alone says nothing: the page gives it back to a link, too.
  document.addEventListener('keyup', (event) => event.key === 'Tab' && consider(event, REST), passive)
  document.addEventListener(
    'pointerover',
    (event) => {
      if (event.pointerType === 'mouse') consider(event, REST)
    },
    passive,
  )
}

/** The address of a link that the app itself will follow. Links with `hreflang`, `target` or `download` leave it. */
function innerLink(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download') || link.hasAttribute('hreflang'))
    return null
  const url = new URL(link.href)
  url.pathname = plain(url.pathname)
  return url.origin === location.origin && url.pathname + url.search !== here() ? url : null
}
