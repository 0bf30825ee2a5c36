/** The records of a page that is shown: what it says, in the guest's words, without anything of the guest (PW-03). */

import { readCookie } from '../browser/storage.ts'
import { keptMenu } from '../find/kept-menu.ts'
import { formatMoney, formatTime } from '../format/format.ts'
import type { PageData } from '../page-data.ts'
import { forgetKept, type KeptMenu, type KeptOrder, keep, readKept } from './kept.ts'

export async function keepShown(shown: PageData): Promise<void> {
  await keep('lang', shown.shell.lang)
  const device = readCookie('deviceId') ?? ''
  const order = orderOf(shown, device)
  if (order) await keep('order', order)
  // Somebody else is at this browser now.
  else if (((await readKept('order'))?.device ?? device) !== device) await forgetKept('order')
  const menu = menuOf()
  if (menu) await keep('menu', menu)
}

/** What a page of an order says at this moment; its stream may have brought more than its data. */
function orderOf({ page }: PageData, device: string): KeptOrder | null {
  if (page.route !== 'order' && page.route !== 'orderInfo' && page.route !== 'thankYou') return null
  const said = document.querySelector<HTMLElement>('.now [role="status"]')
  // Each of its lines is a line there too.
  const status = said?.innerText.trim().replace(/\s*\n\s*/g, '\n')
  if (!status) return null
  const { number, venue, utcOffset } = page.data
  const at = Date.now()
  return { number, venue: venue.name, status, time: formatTime(at, utcOffset), at, device }
}

/** Names and prices: neither table nor cart. */
function menuOf(): KeptMenu | null {
  const menu = keptMenu()
  if (!menu) return null
  const { venue, categories } = menu.page.data
  const { money, utcOffset, now } = menu.shell
  return {
    id: venue.id,
    venue: venue.name,
    time: formatTime(now, utcOffset),
    groups: categories.map(({ name, products }) => ({
      name,
      dishes: products.map((one) => [
        one.name,
        one.unpriced ? '' : formatMoney(one.promo ?? one.price, money),
      ]),
    })),
  }
}
