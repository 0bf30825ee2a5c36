import { formatDay, formatPercent } from '../../lib/format/format.ts'
import type { MenuPromo, Product, Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import './promos.css'

type Props = { promos: MenuPromo[]; venue: Venue; products: ReadonlyMap<number, Product> }

/** More of one promo are found by their prices in the rows. */
const NAMED = 12

/** The venue's promos behind one line: until when, how many, for what (MN-12). */
export function MenuPromos({ promos, venue, products }: Props) {
  const t = useText()
  const most = Math.min(...[...products.values()].map(({ percent }) => percent ?? 0))
  return (
    <details className="promos">
      <summary>
        <b>{t('promos.title')}</b>
        {most < 0 ? <em className="num">{formatPercent(most)}</em> : null}
      </summary>
      <ul>
        {promos.map((promo) => {
          const dated = (key: 'promos.from' | 'promos.until', at: number) =>
            t(key, { date: formatDay(at, venue.utcOffset, t.lang) })
          const facts = [
            promo.from && dated('promos.from', promo.from),
            promo.until && dated('promos.until', promo.until),
            promo.limit && t('menu.limit', { count: promo.limit }),
            promo.dayLimit && t('promos.day', { count: promo.dayLimit }),
          ].filter(Boolean)
          const named = promo.products.flatMap((id) => products.get(id) ?? [])
          return (
            <li key={promo.products.join()}>
              <b>{promo.name}</b>
              {facts.length > 0 ? <p className="soft">{facts.join(' · ')}</p> : null}
              <p className="names">
                {named.slice(0, NAMED).map((product) => (
                  <a key={product.id} className="link" href={paths.menu(venue.id, { item: product.id })}>
                    {product.name}
                  </a>
                ))}
                {named.length > NAMED ? t('promos.more', { count: named.length - NAMED }) : null}
              </p>
            </li>
          )
        })}
      </ul>
    </details>
  )
}
