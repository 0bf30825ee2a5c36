/**
 * What search engines and the document's head are told about a page. Only the server needs it. A venue's own
 * structured data comes from `server/features/structured.rs`, which knows more than pages show.
 */

import type { PageHead, Step } from '../lib/page/head.ts'
import { type PageId, titleOf } from '../lib/page/pages.ts'
import type { Loss } from '../lib/page/sections.ts'
import type { Lang, Page, PageData, Shell, VenueCard } from '../lib/page-data.ts'
import type { Text } from '../lib/text/text.tsx'
import { paths, withQuery } from '../paths.ts'
import { heads, pages } from './server.gen.ts'

export type Head = {
  title: string
  description: string
  lang: Lang
  /** What the host calls the product, else its name in the page's language. */
  site: string
  canonical?: string
  alternates?: { lang: string; href: string }[]
  noindex?: boolean
  jsonld?: object[]
  image?: string
}

type PublicPlace = Pick<Shell, 'origin' | 'country' | 'lang' | 'langs'>

/** What the server is told of a render beside its HTML. */
export type Rendered = Head & {
  losses: Loss[]
  /** Pieces of it that were rendered for other pages before. */
  reused: number
}

export function headOf(data: PageData, t: Text): Head {
  const { shell, page, status } = data
  const own = pageHead(page)
  const base = {
    title: titleOf(pages, data, t),
    description:
      own.description?.(page.data, t, shell) ?? t('head.home.description', { town: shell.town.name }),
    lang: shell.lang,
    site: shell.site ?? t('head.site'),
  }
  const path = (status === 200 && own.path?.(page.data, shell)) || null
  if (path === null) return { ...base, noindex: true }
  const there = publicPlace(shell)
  const canonical = addressIn(there.lang, path, there)
  // Neither search engines nor those who show previews of links have a cart.
  if (shell.cart) return { ...base, canonical }
  return {
    ...base,
    canonical,
    alternates: [
      ...there.langs.map((lang) => ({ lang, href: addressIn(lang, path, there) })),
      { lang: 'x-default', href: addressIn(there.langs[0] ?? there.lang, path, there) },
    ],
    image: preview(own.image?.(page.data), shell) ?? `${shell.origin}/static/og.png`,
    jsonld: [
      ...breadcrumbs(own.steps?.(page.data, t, shell) ?? [], there, t),
      ...itemList(own.list?.(page.data) ?? [], shell),
    ],
  }
}

/** The data of a page fits its head by construction of `Page`, which the types can't follow. */
function pageHead({ route }: Page): PageHead<PageId> {
  return heads[route] as PageHead<PageId>
}

/** Where search engines know a page: a venue of another country in that one, in its own language if need be. */
function publicPlace(shell: Shell): PublicPlace {
  const { lang, abroad, origin } = shell
  if (!abroad) return shell
  const { country, langs } = abroad
  return { origin, country, langs, lang: langs.includes(lang) ? lang : (langs[0] ?? lang) }
}

/** The country's own language stands at the bare address, the others have the query parameter of LC-01; a country that
 * the host does not name is named. */
function addressIn(lang: Lang, path: string, shell: PublicPlace): string {
  const query = {
    lang: lang === shell.langs[0] ? null : lang,
    country: shell.country === countryOfHost(shell.origin) ? null : shell.country,
  }
  return shell.origin + (query.lang || query.country ? withQuery(path, query) : path)
}

/** As the server decides it (LC-04). */
function countryOfHost(origin: string): Shell['country'] {
  return /\.ge\.?(?::\d+)?$/i.test(origin) ? 'ge' : 'kz'
}

/** The picture of a link preview, cut to 1200 × 630 by the image service (SO-09). */
function preview(image: string | undefined, { origin }: Shell): string | null {
  return image?.startsWith('/') ? origin + image.replace('{w}', 'og') : null
}

function breadcrumbs(steps: readonly Step[], shell: PublicPlace, t: Text): object[] {
  if (steps.length === 0) return []
  const all: Step[] = [[t('nav.home'), paths.home()], ...steps]
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: all.map(([name, path], at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        item: addressIn(shell.lang, path, shell),
      })),
    },
  ]
}

/** The venues of a list, in its order. */
function itemList(venues: readonly VenueCard[], shell: Shell): object[] {
  if (venues.length === 0) return []
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: venues.map(({ id, name }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        url: addressIn(shell.lang, paths.menu(id), shell),
      })),
    },
  ]
}
