import { useEffect, useState } from 'react'

/** A pause this long ends the typing, milliseconds. */
const REST = 1000

/** The value of the moment at which it last stood still: what is said of it is said once, not at each key. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)

  // Time is outside of React.
  useEffect(() => {
    const timer = setTimeout(setRested, REST, value)
    return () => clearTimeout(timer)
  }, [value])

  return rested
}
