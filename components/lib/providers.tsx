/** What a render needs beside the router: texts, cart, screens. Made for each render, so nothing is shared. */

import type { ReactNode } from 'react'
import { CartContext } from './cart.tsx'
import type { CartStore } from './cart-store.ts'
import { type Screens, ScreensContext } from './screens.tsx'
import { type Text, TextProvider } from './text.tsx'

type Props = { text: Text; cart: CartStore; screens: Screens; children: ReactNode }

export function Providers({ text, cart, screens, children }: Props) {
  return (
    <TextProvider text={text}>
      <ScreensContext value={screens}>
        <CartContext value={cart}>{children}</CartContext>
      </ScreensContext>
    </TextProvider>
  )
}
