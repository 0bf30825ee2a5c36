/** What every page gets beside its own data. */

import { createContext, useContext } from 'react'
import type { Shell } from './page-data.ts'

export const ShellContext = createContext<Shell | null>(null)

/** The shell of the page that is shown. For the cart take `useCart()`: it knows what the guest just did. */
export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell stands outside of ShellContext')
  return shell
}
