import { useEffect, useState } from 'react'

/** A pause this long ends the typing, milliseconds. */
const PAUSE = 1000

/** The value of the moment at which it last stood still: what is said of it is said once, not at each key. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)

  // Time is outside of React.
  useEffect(() => {
    const timer = setTimeout(setDebounced, PAUSE, value)
    return () => clearTimeout(timer)
  }, [value])

  return debounced
}
