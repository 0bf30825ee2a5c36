/** What has to happen outside of the tree when another page is shown. */

import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { titleOf } from './head-title.ts'
import type { PageData } from './page-data.ts'
import { useText } from './text.tsx'

/** Keeps the document's title and moves the focus to the heading of a page that was opened by a link, or to the part of it
 * that the address names (RT-28). */
export function usePageArrival(data: PageData): void {
  const t = useText()
  const { pathname, hash } = useLocation()
  const navigationType = useNavigationType()
  const shown = useRef(pathname)

  // The title stands outside of the app's root element.
  useEffect(() => {
    document.title = titleOf(data, t)
  }, [data, t])

  // Focus is the browser's. Going back leaves it alone: the scroll position is restored then.
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (navigationType === 'POP') return
    const heading = document.getElementById(hash.slice(1)) ?? document.querySelector<HTMLElement>('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname, hash, navigationType])
}
