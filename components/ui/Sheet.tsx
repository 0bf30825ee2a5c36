import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { raise } from '../lib/browser/layers.ts'
import './sheet.css'

/** How far down a finger must go to put the sheet away (UI-02). */
const SWIPE = 70

type Props = {
  labelledBy: string
  /** Esc, the hand over the edge, a swipe down, the phone's Back, or what stands in `close`. */
  onClose: () => void
  /** It opened without an address of its own: Back closes it nevertheless (`lib/router/asking.ts`). */
  asks?: boolean
  /** It is all that there is on its page: it stays until the next page is there, which a bad network may never bring. */
  whole?: boolean
  /** False: it stays until its opener removes it (UI-03). */
  closeable?: boolean
  /** The button in its corner, if it has one: a link or a form, so that it works without scripts. */
  close?: ReactNode
  children: ReactNode
}

/**
 * A bottom sheet, from 768 px a dialog in the middle. The server sends it open: without scripts it is a section of
 * the page, with them it lies over the page from the first paint and becomes modal when React takes over.
 */
export function Sheet({ labelledBy, onClose, asks, whole, closeable = true, close, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const closed = useRef(onClose)

  // The newest way to close, for listeners that are set once.
  useLayoutEffect(() => {
    closed.current = onClose
  })

  // The top layer, the focus trap and the finger are outside of React.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog?.showModal) return
    const stop = new AbortController()
    const { signal } = stop
    dialog.removeAttribute('open')
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-focus]')?.focus()
    const lower = raise(dialog)
    if (closeable) {
      const leave = () => (whole ? closed.current() : dialog.close())
      const cancel = (event: Event) => {
        event.preventDefault()
        leave()
      }
      if (whole) dialog.addEventListener('cancel', cancel, { signal })
      dialog.addEventListener(
        'close',
        () => {
          // A second Esc in a row can't be cancelled.
          if (whole) dialog.showModal()
          closed.current()
        },
        { signal },
      )
      dialog.addEventListener('click', (event) => event.target === dialog && leave(), { signal })
      swipeDown(dialog, signal, () => {
        if (whole) dialog.style.transform = ''
        leave()
      })
    } else {
      keepOpen(dialog, signal)
    }
    return () => {
      stop.abort()
      lower()
      // Closing gives the focus back to what opened the sheet.
      dialog.close()
    }
  }, [closeable, whole])

  return (
    <dialog className="sheet" open ref={ref} aria-labelledby={labelledBy} data-asks={asks || undefined}>
      {close}
      <div>{children}</div>
      {/* Its end: shown before, it would grow upwards while the document arrives. */}
      <i hidden />
    </dialog>
  )
}

/** Only its opener closes it. */
export function keepOpen(dialog: HTMLDialogElement, signal: AbortSignal): void {
  // In Chromium a second Esc or Back in a row can't be cancelled; this attribute prevents it.
  dialog.setAttribute('closedby', 'none')
  dialog.addEventListener('cancel', (event) => event.preventDefault(), { signal })
  // Browsers without the attribute close it then.
  dialog.addEventListener('close', () => dialog.showModal(), { signal })
}

/** Follows a finger that goes down from the top of the content; a scrolled content scrolls as ever. */
function swipeDown(dialog: HTMLDialogElement, signal: AbortSignal, leave: () => void): void {
  let from: number | null = null
  let moved = 0
  function end(): void {
    // One that leaves does so from where the finger has put it.
    if (from !== null && moved >= SWIPE) leave()
    else dialog.style.transform = ''
    from = null
    moved = 0
  }
  dialog.addEventListener(
    'touchstart',
    (event) => {
      from = dialog.scrollTop <= 0 && event.touches.length === 1 ? (event.touches[0]?.clientY ?? null) : null
    },
    { signal, passive: true },
  )
  dialog.addEventListener(
    'touchmove',
    (event) => {
      if (from === null) return
      moved = (event.touches[0]?.clientY ?? from) - from
      if (dialog.scrollTop > 0) from = null
      dialog.style.transform = from === null || moved <= 0 ? '' : `translateY(${moved}px)`
    },
    { signal, passive: true },
  )
  dialog.addEventListener('touchend', end, { signal })
  dialog.addEventListener('touchcancel', end, { signal })
}
