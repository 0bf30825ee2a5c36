/** A page that asks again by itself. */

import { useEffect } from 'react'
import { useRevalidate } from './use-navigation.ts'

/** While `asks`, a visible page asks for its data at the interval `every` (milliseconds) and when it is seen again. */
export function useAsking(asks: boolean, every: number): void {
  const revalidate = useRevalidate()
  // Time and sight are outside of React.
  useEffect(() => {
    if (!asks) return
    const ask = () => {
      if (!document.hidden) void revalidate()
    }
    const timer = setInterval(ask, every)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [asks, every, revalidate])
}
