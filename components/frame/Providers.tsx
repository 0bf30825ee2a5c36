/** What a render needs beside the router: texts, cart, screens, and which sections are lost. Made for each render, so
 * nothing is shared. */

import type { ReactNode } from 'react'
import { CartContext } from '../lib/cart/cart.tsx'
import type { CartStore } from '../lib/cart/store.ts'
import { type Screens, ScreensContext } from '../lib/page/screens.tsx'
import { type Sections, SectionsContext } from '../lib/page/sections.ts'
import { type Text, TextProvider } from '../lib/text/text.tsx'

type Props = { text: Text; cart: CartStore; screens: Screens; sections: Sections; children: ReactNode }

export function Providers({ text, cart, screens, sections, children }: Props) {
  return (
    <TextProvider text={text}>
      <ScreensContext value={screens}>
        <SectionsContext value={sections}>
          <CartContext value={cart}>{children}</CartContext>
        </SectionsContext>
      </ScreensContext>
    </TextProvider>
  )
}
