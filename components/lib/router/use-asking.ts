/** A page that asks again by itself. */

import { useEffect } from 'react'
import { useAsk } from './use-navigation.ts'

/** First pause before a page that did not come is asked for again, and the longest. */
const PAUSE = 2000
const LONGEST_PAUSE = 30_000

/** While `asks`, a visible page asks for its data when it is seen again and `every` milliseconds after each answer. */
export function useAsking(asks: boolean, every: number): void {
  const ask = useAsk()
  // Time and sight are outside of React.
  useEffect(() => (asks ? askAgain(ask, () => every) : undefined), [asks, every, ask])
}

/** The same of a page that did not come, soon at first and then seldom: its guest sees it once it is there. */
export function useAskingAgain(asks = true): void {
  const ask = useAsk()
  // Time and sight are outside of React.
  useEffect(() => {
    if (!asks) return
    let pause = PAUSE
    return askAgain(ask, () => {
      // Pages that failed together do not ask together.
      const now = pause + Math.random() * PAUSE
      pause = Math.min(1.5 * pause, LONGEST_PAUSE)
      return now
    })
  }, [asks, ask])
}

/** Asks until the returned function is called. The next question waits for an answer: slow ones would never be seen. */
export function askAgain(ask: () => Promise<void>, pause: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  async function next(): Promise<void> {
    clearTimeout(timer)
    if (document.hidden) return
    await ask()
    plan()
  }
  function plan(): void {
    clearTimeout(timer)
    if (!over) timer = setTimeout(next, pause())
  }
  plan()
  document.addEventListener('visibilitychange', next)
  return () => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', next)
  }
}
