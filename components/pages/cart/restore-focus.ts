/** The focus, where what had it goes with its own press: else a keyboard or a reader begins the page anew. */

import { useEffect } from 'react'

/** What stands in one of these instead is found by its name. */
const BOXES = ['.from', '.promo', '.bonus']

type Had = { element: Element; line: number; dish: string; box: string | undefined }

/**
 * Moves it to the dish that was added, the line beside the one that has gone, the heading or the way to the menu; where
 * only an order is left that waits for its payment, to that.
 */
export function useRestoredFocus(): void {
  // What has the focus, and that it has left the page, is the browser's to tell.
  useEffect(() => {
    let had: Had | null = null
    let touched = false
    const stop = new AbortController()
    const { signal } = stop
    const observer = new MutationObserver(() => {
      if (!had || had.element.isConnected || document.activeElement !== document.body) return
      const next = nextTo(had)
      had = null
      // A finger that removes stays where it is.
      next?.focus({ preventScroll: touched })
    })
    document.addEventListener('focusin', ({ target }) => (had = placeOf(target as Element)), { signal })
    document.addEventListener('keydown', () => (touched = false), { signal })
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        touched = true
        // A press on nothing takes the focus away on purpose.
        if (!had?.element.contains(target as Node)) had = null
      },
      { signal },
    )
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      stop.abort()
      observer.disconnect()
    }
  }, [])
}

const linesOf = () => [...document.querySelectorAll<HTMLElement>('.lines .line')]

function placeOf(element: Element): Had {
  return {
    element,
    line: linesOf().findIndex((line) => line.contains(element)),
    // Its line is opened with the same dish, and other words about it.
    dish: element.closest('.also .dish')?.querySelector('a')?.search.split('&')[0] ?? '',
    box: BOXES.find((box) => element.closest(box)),
  }
}

function nextTo({ line, dish, box }: Had): HTMLElement | null {
  const lines = linesOf()
  const added = dish ? document.querySelector(`.line .edit[href*="${dish}&"]`)?.closest('.line') : null
  const beside = line < 0 ? null : (lines[line] ?? lines.at(-1))
  return (
    added?.querySelector<HTMLElement>('.plus') ??
    beside?.querySelector('summary') ??
    document.querySelector<HTMLElement>(
      box ? `${box} summary, ${box} a, ${box} button` : '#lines, .empty .button',
    ) ??
    document.getElementById('ordered') ??
    document.getElementById('main')
  )
}
