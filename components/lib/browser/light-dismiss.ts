import { type RefObject, useEffect } from 'react'

/** Closes an open `<details>` list when the guest looks elsewhere or presses Esc. Without scripts its summary does. */
export function useLightDismiss(ref: RefObject<HTMLDetailsElement | null>): void {
  // Clicks outside of the list are the document's.
  useEffect(() => {
    const stop = new AbortController()
    function close(): void {
      ref.current?.removeAttribute('open')
    }
    document.addEventListener(
      'click',
      (event) => {
        if (event.target instanceof Node && !ref.current?.contains(event.target)) close()
      },
      { signal: stop.signal },
    )
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !ref.current?.open) return
        close()
        if (ref.current.contains(document.activeElement)) ref.current.querySelector('summary')?.focus()
      },
      { signal: stop.signal },
    )
    return () => stop.abort()
  }, [ref])
}
