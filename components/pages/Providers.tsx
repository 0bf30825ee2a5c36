/** What a render needs beside the router: texts, cart, pages, overlays, and which sections are lost. Made for each
 * render, so nothing is shared. */

import type { ReactNode } from 'react'
import { CartContext } from '../lib/cart/cart.tsx'
import type { CartStore } from '../lib/cart/store.ts'
import type { Mutations } from '../lib/mutations/mutations.ts'
import { MutationsContext } from '../lib/mutations/use-mutation.ts'
import { type Pages, PagesContext } from '../lib/page/pages.ts'
import { type Sections, SectionsContext } from '../lib/page/sections.ts'
import { type Text, TextProvider } from '../lib/text/text.tsx'
import { type Overlays, OverlaysContext } from './overlays.ts'

type Props = {
  text: Text
  mutations: Mutations
  cart: CartStore
  pages: Pages
  overlays: Overlays
  sections: Sections
  children: ReactNode
}

export function Providers({ text, mutations, cart, pages, overlays, sections, children }: Props) {
  return (
    <TextProvider text={text}>
      <PagesContext value={pages}>
        <OverlaysContext value={overlays}>
          <SectionsContext value={sections}>
            <MutationsContext value={mutations}>
              <CartContext value={cart}>{children}</CartContext>
            </MutationsContext>
          </SectionsContext>
        </OverlaysContext>
      </PagesContext>
    </TextProvider>
  )
}
