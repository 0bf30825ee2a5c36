/** The records of a page that is shown: what it says, in the guest's words, without anything of the guest (PW-03). */

import { isOwn, ownDevice, readCookie } from '../browser/storage.ts'
import { lastMenu } from '../find/last-menu.ts'
import { formatMoney, formatTime } from '../format/format.ts'
import type { DataOf, PageId, ReadingOrder } from '../page/pages.ts'
import type { PageData } from '../page-data.ts'
import {
  type CachedMenu,
  type CachedOrder,
  type CachedTime,
  clearCached,
  readCached,
  writeCached,
} from './cached.ts'

type Read = ReadingOrder<DataOf<PageId>> | undefined

export async function keepShown(shown: PageData, read: Read): Promise<void> {
  await writeCached('lang', shown.shell.lang)
  const device = readCookie('deviceId') ?? ''
  const cached = await readCached('order')
  // Another guest may be at this browser now, with a document of the one before still open in another tab (S-16).
  const own = cached?.device === device ? cached : null
  const order = isOwn(ownDevice())
    ? (orderOf(shown, read, device) ?? (own && inOtherWords(shown, own)))
    : null
  if (order) await writeCached('order', since(order, own))
  else if (cached && !own) await clearCached('order')
  const menu = menuOf()
  if (menu) await writeCached('menu', since(menu, await readCached('menu')))
}

/** A page is looked at again when its guest comes back: what it says has become no newer by that. */
function since<T extends CachedTime>(now: T, before: T | null): T {
  return before && before.readAt === now.readAt ? { ...now, at: before.at } : now
}

function orderOf({ page, shell }: PageData, read: Read, device: string): CachedOrder | null {
  const found = read?.(page.data, said)
  if (!found) return null
  const { utcOffset, readAt, ...order } = found
  return { ...order, ...timeOf(readAt, utcOffset), lang: shell.lang, device }
}

/** The guest reads another language by now, in which any page says of an order under way how it is. */
function inOtherWords({ shell }: PageData, cached: CachedOrder): CachedOrder | null {
  const { lang, activeOrder, utcOffset, now } = shell
  if (cached.lang === lang || cached.number !== activeOrder?.number) return null
  const status = said('.strip')
  return status ? { ...cached, ...timeOf(now, utcOffset), status, lang } : null
}

function timeOf(readAt: number, utcOffset: number): CachedTime {
  return { time: formatTime(readAt, utcOffset), readAt, utcOffset, at: Date.now() }
}

/** Each line of it is a line there too. */
const said = (what: string) =>
  document
    .querySelector<HTMLElement>(what)
    ?.innerText.trim()
    .replace(/\s*\n\s*/g, '\n')

/** Names and prices: neither table nor cart. */
function menuOf(): CachedMenu | null {
  const menu = lastMenu()
  if (!menu) return null
  const { venue, categories } = menu.page.data
  const { money, utcOffset, now } = menu.shell
  return {
    ...timeOf(now, utcOffset),
    id: venue.id,
    venue: venue.name,
    groups: categories.map(({ name, products }) => ({
      name,
      dishes: products.map((one) => [
        one.name,
        one.unpriced ? '' : formatMoney(one.promo ?? one.price, money),
      ]),
    })),
  }
}
