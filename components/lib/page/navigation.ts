/** The state of navigation, for the parts that show it. */

import { useEffect, useState, useSyncExternalStore } from 'react'
import { isPoor, watchConnection } from '../net/connection.ts'
import { useWay } from '../router/use-navigation.ts'

/**
 * A client navigation lasts over 150 ms: time to show that something comes (skeleton, `aria-busy`). Without a network
 * nothing comes: the page that stays is as good as before.
 */
export function usePending(): boolean {
  const poor = useSyncExternalStore(watchConnection, isPoor, () => false)
  const loading = useWay().coming !== null && !poor
  const [late, setLate] = useState(false)
  // A timer is outside of React; it is gone when the navigation ends.
  useEffect(() => {
    if (!loading) return
    const timer = setTimeout(setLate, 150, true)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [loading])
  return loading && late
}
