import { useEffect, useState } from 'react'

const SECOND = 1000

/** Whole seconds that are left of milliseconds which were told at `since`: the phone's own clock may be wrong. */
export function useSecondsLeft(wait: number, since: unknown): number {
  const [gone, setGone] = useState({ since, seconds: 0 })

  // Time is outside of React.
  useEffect(() => {
    if (wait <= 0) return
    const began = performance.now()
    const timer = setInterval(() => {
      const seconds = Math.floor((performance.now() - began) / SECOND)
      setGone({ since, seconds })
      if (seconds * SECOND > wait) clearInterval(timer)
    }, SECOND)
    return () => clearInterval(timer)
  }, [wait, since])

  const passed = gone.since === since ? gone.seconds : 0
  return Math.max(0, Math.ceil(wait / SECOND) - passed)
}
