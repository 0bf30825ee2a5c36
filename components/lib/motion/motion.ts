/**
 * What moves from one page to the next, as the pages say. Also how sheets leave and messages come, how a sum changes and a
 * page is waited for. All of it comes at rest and only where the browser can do it, and not with reduced motion.
 * Styles of its own: none of them is on the way to a first paint.
 */

import type { Navigation, Shown } from '../router/navigation.ts'

/** The root takes no part in transitions: it would be a picture meanwhile, and could not be pressed. */
const STYLES = `
:root { view-transition-name: none }
::view-transition { pointer-events: none }
::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) {
  animation-duration: 0.18s;
  animation-timing-function: ease-out;
}
::view-transition-group(photo) { overflow: clip; border-radius: 0.75rem }
::view-transition-old(photo), ::view-transition-new(photo) { block-size: 100%; object-fit: cover }
@media (prefers-reduced-motion: no-preference) {
  .sheet {
    transition: opacity 0.15s ease-out, display 0.15s allow-discrete, overlay 0.15s allow-discrete;
  }
  .sheet:not([open]) { opacity: 0 }
  .roll { display: inline-block; animation: roll 0.18s ease-out }
  .connection[data-late] { animation: connection 1.2s linear infinite }
  .ask, .toast { transition: opacity 0.18s ease-out, transform 0.18s ease-out }
  @starting-style {
    .ask, .toast { opacity: 0; transform: translateY(1.5rem) }
  }
}
@keyframes connection { from { transform: translateX(-100%) } to { transform: translateX(100%) } }
@keyframes roll { from { opacity: 0; transform: translateY(0.5em) } }`

/** How long a sheet takes to leave, milliseconds. */
const LEAVING = 150

/** A screen that takes longer than this comes without motion, milliseconds. */
const TIMEOUT = 300

/** The parts of a change that are one thing before and after it. */
export type Motion = {
  /** In the styles, which know `photo`. */
  name: string
  before: () => HTMLElement | null
  after: () => HTMLElement | null
  /** Whether the page shows what it goes to. */
  isThere: () => boolean
}

/** `motionOf` says what moves with a change. */
export function begin(navigation: Navigation, motionOf: (from: Shown, to: Shown) => Motion | null): void {
  // The types know them, older browsers do not.
  if (!('adoptedStyleSheets' in document)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  if (!('startViewTransition' in document)) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)')
  let isMoving = false
  watchSheets(() => !isMoving && !isStill.matches && !document.hidden)

  navigation.draw = (tell, from, to) => {
    const motion = isMoving || isStill.matches || document.hidden ? null : motionOf(from, to)
    const before = motion?.before()
    if (!motion || !before) return tell()
    isMoving = true
    before.style.viewTransitionName = motion.name
    let after: HTMLElement | null = null
    const transition = document.startViewTransition(async () => {
      tell()
      for (const end = Date.now() + TIMEOUT; !motion.isThere() && Date.now() < end; ) await soon()
      before.style.viewTransitionName = ''
      after = motion.after()
      if (after) after.style.viewTransitionName = motion.name
    })
    // What is skipped is shown without motion.
    transition.ready.catch(() => {})
    transition.finished
      .catch(() => {})
      .finally(() => {
        if (after) after.style.viewTransitionName = ''
        isMoving = false
      })
  }
}

/**
 * React takes a sheet out of the page at once. A copy that can be neither pressed nor heard leaves in its stead, from
 * where the finger has put it.
 */
function watchSheets(mayMove: () => boolean): void {
  const closedAt = new WeakMap<EventTarget, number>()
  const scrolled = new WeakMap<EventTarget, number>()
  const options = { capture: true, passive: true }
  addEventListener('close', ({ target }) => target && closedAt.set(target, performance.now()), options)
  addEventListener(
    'scroll',
    ({ target }) => target instanceof HTMLDialogElement && scrolled.set(target, target.scrollTop),
    options,
  )
  new MutationObserver((changes) => {
    for (const { removedNodes } of changes) {
      for (const node of removedNodes) {
        if (!(node instanceof HTMLElement)) continue
        const sheet = node.matches(SHEET) ? node : node.querySelector<HTMLElement>(SHEET)
        // It may have only been moved, or been closed and out of sight before.
        if (!sheet || sheet.isConnected || !mayMove()) continue
        if (performance.now() - (closedAt.get(sheet) ?? performance.now()) > LEAVING) continue
        leave(sheet, scrolled.get(sheet) ?? 0)
      }
    }
  }).observe(document.body, { childList: true, subtree: true })
}

const SHEET = 'dialog.sheet'

function leave(sheet: HTMLElement, scrollTop: number): void {
  // No dialog: nothing may take it for one that is open.
  const copy = document.createElement('div')
  copy.className = sheet.className
  copy.append(...[...sheet.childNodes].map((node) => node.cloneNode(true)))
  // A name of two things would be the name of neither.
  for (const one of copy.querySelectorAll('[id], [name]')) {
    one.removeAttribute('id')
    one.removeAttribute('name')
  }
  copy.setAttribute('open', '')
  copy.ariaHidden = 'true'
  copy.inert = true
  document.body.append(copy)
  copy.scrollTop = scrollTop
  const from = Number.parseFloat(/translateY\((.+)px/.exec(sheet.style.transform)?.[1] ?? '0')
  const way = [from, from + 32].map((y) => `translateY(${y}px)`)
  copy
    .animate({ opacity: [1, 0], transform: way }, { duration: LEAVING, easing: 'ease-out', fill: 'forwards' })
    .finished.finally(() => copy.remove())
}

// Frames wait for the change, timers do not.
const soon = () => new Promise((resolve) => setTimeout(resolve, 4))
