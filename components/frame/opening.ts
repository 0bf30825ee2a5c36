import { useEffect } from 'react'
import { useShell } from '../lib/page/shell.ts'
import { useRevalidate } from '../lib/router/use-navigation.ts'

/** Not all guests at once, milliseconds. */
const APART = 3000
/** The phone's clock may be ahead of the server's: it is asked again this late. */
const AGAIN = 60_000

/** Asks for the page anew when its venue opens or closes: the server's answer then holds everywhere on it. */
export function useOpening(): void {
  const { until, now } = useShell()
  const revalidate = useRevalidate()
  // Time passes outside of React. A page made anew has another `now`, and is waited for anew.
  useEffect(() => {
    if (!until || !now) return
    const left = until - Date.now()
    const timer = setTimeout(() => void revalidate(), (left > 0 ? left : AGAIN) + Math.random() * APART)
    return () => clearTimeout(timer)
  }, [until, now, revalidate])
}
