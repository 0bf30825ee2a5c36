/** The page without a network (PW-04): the last order, the menu that was open last, and why nothing can be ordered. */

import { texts } from 'build:worker-texts'
import { type KeptMenu, type KeptOrder, readKept } from '../lib/offline/kept.ts'
import { formatMessage, type Message } from '../lib/text/message.ts'

/** An order is told of for a day. */
const DAY = 24 * 60 * 60 * 1000

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
  | 'offline.noOrder'
  | 'offline.order'
  | 'offline.orderButton'
  | 'offline.saved'
  | 'offline.text'
  | 'offline.title'

/** `late`: there is a network, and no answer yet. */
export async function offlinePage(url: string, { late }: { late: boolean }): Promise<Response> {
  const [kept, order, menu] = await Promise.all([readKept('lang'), readKept('order'), readKept('menu')])
  const lang = kept ?? 'kk'
  const t = (key: Key, values: Record<string, string> = {}) =>
    safe(formatMessage(texts[lang]?.[key] as Message, values, lang))
  const { pathname, search } = new URL(url)
  const again = late ? `${pathname}${search ? `${search}&` : '?'}again=1` : pathname + search
  const fresh = order && Date.now() - order.at < DAY ? order : null
  const html = `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${t('offline.title')}</title>
<link rel="stylesheet" href="/static/offline.css">
</head>
<body>
<main>
${SCENE}
<h1>${t(late ? 'offline.late' : 'offline.title')}</h1>
<p>${t('offline.text')}</p>
<p><a class="button" href="${safe(again)}">${t('offline.again')}</a></p>
${fresh ? orderCard(fresh, t) : ''}
${menu ? menuCard(menu, t) : ''}
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

function orderCard(order: KeptOrder, t: Words): string {
  return `<section class="card" aria-labelledby="order">
<h2 id="order">${t('offline.order')} <b class="number">${safe(order.number)}</b></h2>
<p class="status" lang="${order.lang}">${safe(order.status)}</p>
<p>${safe(order.venue)}</p>
<p class="soft">${t('offline.asOf', { time: order.time })}</p>
</section>`
}

function menuCard(menu: KeptMenu, t: Words): string {
  const groups = menu.groups.map(
    ({ name, dishes }) => `<h3>${safe(name)}</h3>
<ul>${dishes.map(([dish, price]) => `<li><span>${safe(dish)}</span> <span class="price">${safe(price)}</span></li>`).join('')}</ul>`,
  )
  return `<section class="card" aria-labelledby="menu">
<h2 id="menu">${safe(menu.venue)}</h2>
<p class="soft">${t('offline.saved', { time: menu.time })}</p>
<p><button type="button" class="button" disabled aria-describedby="why">${t('offline.orderButton')}</button></p>
<p id="why" class="soft">${t('offline.noOrder')}</p>
<details><summary>${t('offline.dishes')}</summary>
${groups.join('\n')}
</details>
</section>`
}

function safe(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
