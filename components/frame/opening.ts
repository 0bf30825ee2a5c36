import { useEffect } from 'react'
import { useShell } from '../lib/page/shell.ts'
import { useRevalidate } from '../lib/router/use-navigation.ts'

/** Not all guests at once, milliseconds. */
const APART = 3000
/** A page that is older than its hour is asked for again this late. */
const AGAIN = 60_000

/**
 * Asks for the page anew when its venue opens or closes, or a new day begins there: the server's answer then holds
 * everywhere on it.
 */
export function useOpening(): void {
  const { until, now } = useShell()
  const revalidate = useRevalidate()
  // Time passes outside of React. A page made anew has another `now`, and is waited for anew.
  useEffect(() => {
    if (!until) return
    const left = until - now
    const ask = () => void revalidate()
    const timer = setTimeout(ask, (left > 0 ? left : AGAIN) + Math.random() * APART)
    // Timers may stop while a phone sleeps. How long that was its clock tells, right or wrong.
    const begun = Date.now()
    const seen = () => !document.hidden && Date.now() - begun > left && ask()
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [until, now, revalidate])
}
