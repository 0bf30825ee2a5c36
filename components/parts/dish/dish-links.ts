import { useEffect } from 'react'
import { isPlain } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'

/** Told to the history entry of a sheet: closing it steps back. */
export const OVER = { over: true }

/**
 * Opens dishes without a load of the page. One listener for all rows: a router link in each of hundreds of rows
 * would cost about a quarter of the render, on the server too.
 */
export function useDishLinks(): void {
  const navigate = useNavigate()
  // Clicks are heard where the rows' own elements can't: on the document.
  useEffect(() => {
    function open(event: MouseEvent): void {
      if (event.defaultPrevented || !isPlain(event)) return
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.dish a, .promos a') : null
      if (!link) return
      event.preventDefault()
      navigate(link.pathname + link.search, { state: OVER, preventScrollReset: true })
    }
    document.addEventListener('click', open)
    return () => document.removeEventListener('click', open)
  }, [navigate])
}
