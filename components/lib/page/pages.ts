/** What a page consists of, and the pages that are at hand. A page is a folder in `pages/`. */

import { type ComponentType, createContext } from 'react'
import type { GuestEvent } from '../browser/events.ts'
import type { Motion } from '../motion/motion.ts'
import type { CachedOrder } from '../offline/cached.ts'
import type { MoneyFormat, Page, PageData, Shell } from '../page-data.ts'
import type { Shown } from '../router/navigation.ts'
import type { Text } from '../text/text.tsx'

export type PageId = Page['route']
export type DataOf<I extends PageId> = Extract<Page, { route: I }>['data']

/** What the document and the browser's history call a page, without the product's name. */
export type PageTitle<I extends PageId> = (data: DataOf<I>, t: Text) => string

/** What stands around a page. Without one: the logo, and Back to where the visit begins. */
export type PageFrame<I extends PageId> = Frame<DataOf<I>>

type Frame<Data> = {
  /** The heading in the header, when the page has no larger one of its own; the logo beside it, where there is room. */
  heading?: (data: Data, t: Text) => string
  /** Whose page it is, in place of the logo: shown once the page's own heading is scrolled away. */
  name?: (data: Data) => string
  /** Where Back leads when there is no history. Null: no Back (UI-01). An empty answer is the shell's home. */
  back?: ((data: Data, shell: Shell) => string | null | undefined) | null
  /** Where Back leads to a guest who comes from a payment page, if not to the root (RT-17). */
  root?: (data: Data) => string | null | undefined
  /** The cart lies at the lower edge; `beside`: the page has it beside itself where there is room. */
  bar?: true | 'beside'
  /** The order on its way is named above the page; `paid`: of one that is not paid the page itself says more. */
  order?: true | 'paid'
  /** The town can be changed in the header. */
  town?: true
  /** Where deliveries are brought to, null while that is not known: with the delivery chosen it can be changed in the header. */
  address?: (data: Data) => string | null
  /** The fields beside which the page itself says what was wrong with them: nothing above it says so again. */
  beside?: (data: Data, shell: Shell) => readonly string[]
  /** Whether the page itself says all that the last change left. */
  says?: (shell: Shell) => boolean
  /** The venue that it is about: sums in the frame are of its money instead of the shell's. */
  venue?: (data: Data) => { id?: number; money: MoneyFormat } | null
}

/** What `pages/<id>/page.tsx` exports. */
export type PageModule<I extends PageId> = ModuleOf<DataOf<I>>

type ModuleOf<Data> = {
  Page: ComponentType<{ data: Data }>
  title: (data: Data, t: Text) => string
  frame?: Frame<Data>
}

/** The pages that are at hand: all of them on the server, in the browser those whose code has arrived. */
export type Pages = { [I in PageId]?: PageModule<I> }

export const PagesContext = createContext<Pages>({})

/** The module of a page. Its data fits by construction of `Page`, which the types can't follow. */
export function moduleOf(pages: Pages, { route }: Page): ModuleOf<Page['data']> | undefined {
  return pages[route] as ModuleOf<Page['data']> | undefined
}

/** The title of a page: in the document's head and after each navigation. */
export function titleOf(pages: Pages, { page, shell }: PageData, t: Text): string {
  const own = moduleOf(pages, page)?.title(page.data, t)
  const site = shell.site ?? t('head.site')
  return own ? `${own} · ${site}` : site
}

/**
 * What a page says of an overlay that it opens, in `pages/<id>/overlays/<overlay>.ts`. It comes with the entry: which
 * code an address needs is asked before the page is there.
 */
export type PageOverlay<I extends PageId> = {
  /** Whether an address of the page opens it. */
  isIn: (search: string) => boolean
  /** Whether the page shows it. */
  isShown: (data: DataOf<I>) => boolean
  /** What is shown without asking the server: the page without it, if that is all that the address means. */
  closed: (shown: PageData, pathname: string, search: string) => PageData | null
  /** The page with it, as far as it is known. */
  opened: (shown: PageData, pathname: string, search: string) => PageData | null
  /** What is shown in place of an answer about it that is no such page. */
  lost: (shown: PageData, url: string, next: PageData) => PageData | null
}

/** What the entry has to know of a page before its code is there, in `pages/<id>/traits.ts`. */
export type PageTraits = {
  /** Its data are made of the cart: what is on its way into that is waited for, and changes of it ask for it anew. */
  ofCart?: true
}

/** What is done whenever a page is shown, in `pages/<id>/shown.ts`. It comes after hydration. */
export type PageShown<I extends PageId> = {
  /** What is told of it (AN-02). */
  event: (data: DataOf<I>) => GuestEvent
  /** What the browser keeps of it. */
  keep?: (data: DataOf<I>) => void
}

type ReadOrder = Pick<CachedOrder, 'number' | 'venue' | 'status'> & { utcOffset: number; readAt: number }

/** Reads the order that a page shows; `said` is what the page says at a place of it. */
export type ReadingOrder<Data> = (data: Data, said: (place: string) => string | undefined) => ReadOrder | null

/** What goes on about a page that rests, in `pages/<id>/rest.ts`. It comes at rest. */
export type PageRest<I extends PageId> = {
  /** Where most guests go from here: the code of these pages and of what the page opens is fetched. */
  ahead?: readonly PageId[]
  /** The page of an address without the server, made of what has been shown. */
  atHand?: (url: URL, shown: PageData) => PageData | null
  /** Something is under way or in the making: no new version takes over (PW-05). */
  isAtStake?: true
  /** The order that it shows, for times without a network (PW-03). */
  order?: ReadingOrder<DataOf<I>>
  /** What moves while it stays. */
  motion?: (from: Shown, to: Shown) => Motion | null
  /** Selectors, by names: what becomes a thing of the next page, and what things of the page before become. */
  leaves?: { readonly [name: string]: string }
  enters?: { readonly [name: string]: string }
}
