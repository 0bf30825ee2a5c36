/**
 * What search engines and the document's head are told about a page. Only the server needs it. A venue's own
 * structured data comes from `server/features/structured.rs`, which knows more than pages show.
 */

import { paths, withQuery } from '../paths.ts'
import { titleOf } from './head-title.ts'
import type { Lang, PageData, Service, Shell, Venue, VenueCard } from './page-data.ts'
import type { Loss } from './sections.ts'
import type { Text } from './text.tsx'

export type Head = {
  title: string
  description: string
  lang: Lang
  /** The product's name in the page's language. */
  site: string
  canonical?: string
  alternates?: { lang: string; href: string }[]
  noindex?: boolean
  jsonld?: object[]
  image?: string
}

/** What the server is told of a render beside its HTML. */
export type Rendered = Head & { losses: Loss[] }

/** A step on the way to a page: its name and path. */
type Step = [name: string, path: string]

export function headOf(data: PageData, t: Text): Head {
  const { shell } = data
  const base = {
    title: titleOf(data, t),
    description: descriptionOf(data, t),
    lang: shell.lang,
    site: t('head.site'),
  }
  const path = publicPath(data)
  if (path === null) return { ...base, noindex: true }
  const [ownLang] = shell.langs
  return {
    ...base,
    canonical: addressIn(shell.lang, path, shell),
    alternates: [
      ...shell.langs.map((lang) => ({ lang, href: addressIn(lang, path, shell) })),
      { lang: 'x-default', href: addressIn(ownLang ?? shell.lang, path, shell) },
    ],
    image: preview(data) ?? `${shell.origin}/static/og.png`,
    jsonld: [...breadcrumbs(data, t), ...itemList(data)],
  }
}

/** The address that search engines shall know, or null for what is personal, passing, found by a search, or not there
 * (SO-01, SO-02). A part that failed for now does not take a page out of the index. */
function publicPath({ page, status }: PageData): string | null {
  if (status !== 200) return null
  switch (page.route) {
    case 'home':
      return paths.home()
    case 'filials':
      return page.data.query ? null : paths.filials({ category: page.data.category, page: page.data.page })
    case 'brands':
      return page.data.query ? null : paths.brands()
    case 'menu':
      return paths.menu(canonicalId(page.data.venue))
    case 'details':
      return paths.details(canonicalId(page.data.venue))
    case 'faq':
      return paths.faq()
    case 'town':
    case 'cart':
    case 'order':
    case 'checking':
    case 'brandFilials':
    case 'booking':
    case 'map':
    case 'search':
    case 'menuSearch':
    case 'legal':
    case 'age':
    case 'language':
    case 'coming':
    case 'cookies':
    case 'notFound':
    case 'error':
      return null
  }
}

const CANONICAL: readonly Service[] = ['express', 'takeaway', 'delivery']

/** One venue has an address for each service; search engines know the first one's. The server's structured data and
 * the sitemaps choose the same. */
function canonicalId({ id, filials }: Venue): number {
  for (const service of CANONICAL) {
    const found = filials.find((filial) => filial.service === service)
    if (found) return found.id
  }
  return id
}

/** The country's own language stands at the bare address, the others have the query parameter of LC-01; a country that
 * the host does not name is named. */
function addressIn(lang: Lang, path: string, shell: Shell): string {
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

function descriptionOf({ page, shell }: PageData, t: Text): string {
  switch (page.route) {
    case 'menu':
      return t('head.menu.description', { venue: page.data.venue.name, address: page.data.venue.address })
    case 'filials':
      return t('head.filials.description', { town: shell.town.name })
    case 'map':
      return t('head.map.description', { town: shell.town.name })
    case 'details':
      return t('head.details.description', { venue: page.data.venue.name, address: page.data.venue.address })
    case 'faq':
      return t('head.faq.description')
    case 'brands':
      return t('head.brands.description', { town: shell.town.name })
    case 'home':
    case 'town':
    case 'cart':
    case 'order':
    case 'checking':
    case 'brandFilials':
    case 'booking':
    case 'search':
    case 'menuSearch':
    case 'legal':
    case 'age':
    case 'language':
    case 'coming':
    case 'cookies':
    case 'notFound':
    case 'error':
      return t('head.home.description', { town: shell.town.name })
  }
}

/** The picture of a link preview: the venue's, cut to 1200 × 630 by the image service (SO-09). */
function preview({ page, shell }: PageData): string | null {
  const image = page.route === 'menu' || page.route === 'details' ? page.data.venue.image : undefined
  if (!image?.startsWith('/')) return null
  return shell.origin + image.replace('{w}', 'og')
}

function breadcrumbs(data: PageData, t: Text): object[] {
  const steps = stepsTo(data, t)
  if (steps.length === 0) return []
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: steps.map(([name, path], at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        item: addressIn(data.shell.lang, path, data.shell),
      })),
    },
  ]
}

function stepsTo({ page }: PageData, t: Text): Step[] {
  const home: Step = [t('nav.home'), paths.home()]
  const venues: Step = [t('nav.venues'), paths.filials()]
  switch (page.route) {
    case 'filials':
      return [home, venues]
    case 'menu':
      return [home, venues, [page.data.venue.name, paths.menu(canonicalId(page.data.venue))]]
    case 'details': {
      const id = canonicalId(page.data.venue)
      return [
        home,
        venues,
        [page.data.venue.name, paths.menu(id)],
        [t('head.details.title', { venue: page.data.venue.name }), paths.details(id)],
      ]
    }
    case 'brands':
      return [home, [t('head.brands.title'), paths.brands()]]
    case 'faq':
      return [home, [t('head.faq.title'), paths.faq()]]
    default:
      return []
  }
}

/** The venues of a list, in its order; each is told once. */
function itemList({ page, shell }: PageData): object[] {
  const venues = listed(page)
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

function listed(page: PageData['page']): VenueCard[] {
  if (page.route === 'filials') return page.data.venues
  if (page.route !== 'home') return []
  const venues = new Map<number, VenueCard>()
  for (const rail of page.data.rails) for (const venue of rail.venues) venues.set(venue.id, venue)
  return [...venues.values()]
}
