/** The state of navigation, for the parts that show it. */

import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'

/** A client navigation lasts over 150 ms: time to show that something comes (skeleton, `aria-busy`). */
export function usePending(): boolean {
  const loading = useNavigation().state !== 'idle'
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
