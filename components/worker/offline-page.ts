/** The page without a network (PW-04): the last order, the menu that was open last, and why nothing can be ordered. */

import { texts } from 'build:worker-texts'
import { formatDate, formatDay } from '../lib/format/format.ts'
import {
  type CachedMenu,
  type CachedOrder,
  type CachedTime,
  readCached,
  readFresh,
} from '../lib/offline/cached.ts'
import type { Lang } from '../lib/page-data.ts'
import { formatMessage, type Message } from '../lib/text/message.ts'

/** Poles in the steppe whose wire is torn. */
const SCENE = `<svg class="scene" viewBox="0 0 120 80" aria-hidden="true">
<path d="M20 76V18M10 24h20M100 76V18M90 24h20M8 76h104M20 24q8 22 28 22M100 24q-8 22-28 22"/>
<path class="hot" d="m52 52-5 9M60 50v12M68 52l5 9"/>
</svg>`

type Key =
  | 'offline.again'
  | 'offline.asOf'
  | 'offline.dishes'
  | 'offline.late'
  | 'offline.lateNoOrder'
  | 'offline.lateText'
  | 'offline.noOrder'
  | 'offline.order'
  | 'offline.orderButton'
  | 'offline.saved'
  | 'offline.savedOn'
  | 'offline.text'
  | 'offline.title'

/** `late`: there is a network, and no answer yet. */
export async function offlinePage(url: string, { late }: { late: boolean }): Promise<Response> {
  const [cached, order, menu] = await Promise.all([readCached('lang'), readFresh('order'), readFresh('menu')])
  const lang = cached ?? 'kk'
  const t = (key: Key, values: Record<string, string> = {}) =>
    safe(formatMessage(texts[lang]?.[key] as Message, values, lang))
  const { pathname, search } = new URL(url)
  const again = late ? `${pathname}${search ? `${search}&` : '?'}again=1` : pathname + search
  const title = t(late ? 'offline.late' : 'offline.title')
  const html = `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<link rel="stylesheet" href="/static/offline.css">
</head>
<body>
<main>
${SCENE}
<h1>${title}</h1>
<p>${t(late ? 'offline.lateText' : 'offline.text')}</p>
<p><a class="button" href="${safe(again)}">${t('offline.again')}</a></p>
${order ? orderCard(order, lang, t) : ''}
${menu ? menuCard(menu, { late, lang, t }) : ''}
</main>
</body>
</html>`
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
}

type Words = (key: Key, values?: Record<string, string>) => string

function orderCard(order: CachedOrder, lang: Lang, t: Words): string {
  return `<section class="card" aria-labelledby="order">
<h2 id="order">${t('offline.order')} <b class="number">${safe(order.number)}</b></h2>
<p class="status" lang="${order.lang}">${safe(order.status)}</p>
<p>${safe(order.venue)}</p>
<p class="soft">${t('offline.asOf', { time: dateOf(order, lang) ?? order.time })}</p>
</section>`
}

type Page = { late: boolean; lang: Lang; t: Words }

function menuCard(menu: CachedMenu, { late, lang, t }: Page): string {
  const date = dateOf(menu, lang)
  const groups = menu.groups.map(
    ({ name, dishes }) => `<h3>${safe(name)}</h3>
<ul>${dishes.map(([dish, price]) => `<li><span>${safe(dish)}</span> <span class="price">${safe(price)}</span></li>`).join('')}</ul>`,
  )
  return `<section class="card" aria-labelledby="menu">
<h2 id="menu">${safe(menu.venue)}</h2>
<p class="soft">${date ? t('offline.savedOn', { date }) : t('offline.saved', { time: menu.time })}</p>
<p><button type="button" class="button" disabled aria-describedby="why">${t('offline.orderButton')}</button></p>
<p id="why" class="soft">${t(late ? 'offline.lateNoOrder' : 'offline.noOrder')}</p>
<details><summary>${t('offline.dishes')}</summary>
${groups.join('\n')}
</details>
</section>`
}

/** Day and time where that was not today; what the phone's clock is wrong by makes no difference. */
function dateOf({ readAt, utcOffset, at }: CachedTime, lang: Lang): string | null {
  if (readAt === undefined || utcOffset === undefined) return null
  const now = readAt + Date.now() - at
  const isToday = formatDay(now, utcOffset, lang) === formatDay(readAt, utcOffset, lang)
  return isToday ? null : formatDate(readAt, utcOffset, lang)
}

function safe(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
