/** What has to happen outside of the tree when another page is shown. */

import { useContext, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { PagesContext, titleOf } from '../lib/page/pages.ts'
import { usePageData } from '../lib/page/shell.ts'
import { useText } from '../lib/text/text.tsx'

/** Keeps the document's title and moves the focus to the heading of a page that was opened by a link, or to the part of it
 * that the address names (RT-28). */
export function usePageArrival(): void {
  const data = usePageData()
  const t = useText()
  const pages = useContext(PagesContext)
  const { pathname, hash } = useLocation()
  const navigationType = useNavigationType()
  const shown = useRef(pathname)

  // The title stands outside of the app's root element.
  useEffect(() => {
    document.title = titleOf(pages, data, t)
  }, [pages, data, t])

  // Focus is the browser's. Going back gives it to what had it (`KeepScroll.tsx`).
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
