/** What every page gets beside its own data, and which page it is. */

import { createContext, useContext } from 'react'
import type { Page, PageData, Shell } from '../page-data.ts'

export const PageContext = createContext<PageData | null>(null)

/** Whether the guest is too young for some dishes: rows ask for this alone, and are not drawn anew with each page. */
export const LockedContext = createContext(false)

/** All that the server told of the page that is shown. */
export function usePageData(): PageData {
  const data = useContext(PageContext)
  if (!data) throw new Error('no PageContext')
  return data
}

/** The shell of the page that is shown. For the cart take `useCart()`: it knows what the guest just did. */
export function useShell(): Shell {
  return usePageData().shell
}

/** The page that is shown; the server's word, which is not always what the address looks like. */
export function usePage(): Page {
  return usePageData().page
}
