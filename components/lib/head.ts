/** What search engines and the document's head are told about a page. Only the server needs it. */

import { paths, withQuery } from '../paths.ts'
import { titleOf } from './head-title.ts'
import type { Lang, MenuPage, PageData, Shell } from './page-data.ts'
import type { Text } from './text.tsx'

export type Head = {
  title: string
  description: string
  lang: Lang
  canonical?: string
  alternates?: { lang: string; href: string }[]
  noindex?: boolean
  jsonld?: object[]
  image?: string
}

const IMAGE_WIDTH = '640'

export function headOf(data: PageData, t: Text): Head {
  const base = { title: titleOf(data, t), description: descriptionOf(data, t), lang: data.shell.lang }
  const path = publicPath(data)
  if (path === null) return { ...base, noindex: true }
  const image = data.page.route === 'menu' ? absoluteImage(data.page.data.venue.image, data.shell) : null
  return {
    ...base,
    canonical: addressIn(data.shell.lang, path, data.shell),
    alternates: [
      ...data.shell.langs.map((lang) => ({ lang, href: addressIn(lang, path, data.shell) })),
      { lang: 'x-default', href: data.shell.origin + path },
    ],
    image: image ?? `${data.shell.origin}/static/og.png`,
    ...(data.page.route === 'menu' ? { jsonld: [restaurant(data.page.data, data.shell, image)] } : {}),
  }
}

/** The address that search engines shall know, or null for what is personal, passing or not there. */
function publicPath({ page, status }: PageData): string | null {
  if (status !== 200) return null
  switch (page.route) {
    case 'home':
      return paths.home()
    case 'filials':
      return page.data.query ? null : paths.filials({ category: page.data.category, page: page.data.page })
    case 'menu':
      return page.data.failed ? null : paths.menu(page.data.venue.id)
    case 'town':
    case 'cart':
    case 'order':
    case 'checking':
    case 'coming':
    case 'notFound':
    case 'error':
      return null
  }
}

/** The country's own language stands at the bare address, the others have the query parameter of LC-01. */
function addressIn(lang: Lang, path: string, shell: Shell): string {
  return shell.origin + (lang === shell.langs[0] ? path : withQuery(path, { lang }))
}

function descriptionOf({ page, shell }: PageData, t: Text): string {
  switch (page.route) {
    case 'menu':
      return t('head.menu.description', { venue: page.data.venue.name, address: page.data.venue.address })
    case 'filials':
      return t('head.filials.description', { town: shell.town.name })
    case 'home':
    case 'town':
    case 'cart':
    case 'order':
    case 'checking':
    case 'coming':
    case 'notFound':
    case 'error':
      return t('head.home.description', { town: shell.town.name })
  }
}

function restaurant({ venue }: MenuPage, shell: Shell, image: string | null): object {
  const url = shell.origin + paths.menu(venue.id)
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': url,
    name: venue.name,
    url,
    address: { '@type': 'PostalAddress', streetAddress: venue.address, addressLocality: shell.town.name },
    currenciesAccepted: venue.money.code,
    hasMenu: url,
    ...(venue.brand && venue.brand !== venue.name ? { brand: { '@type': 'Brand', name: venue.brand } } : {}),
    ...(image ? { image } : {}),
  }
}

function absoluteImage(image: string | undefined, shell: Shell): string | null {
  if (!image) return null
  const address = image.replace('{w}', IMAGE_WIDTH)
  return address.startsWith('/') ? shell.origin + address : address
}
