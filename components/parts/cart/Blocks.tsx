import { Fragment } from 'react'
import { formatDistance, formatMoney } from '../../lib/format/format.ts'
import type { CartPage, MoneyFormat } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'

/**
 * What more of the menu takes out of the way, or another address, or a word about this one. Where there is no address, the
 * order's button leads to one.
 */
const LEADS_ON: readonly string[] = ['minSum', 'outOfZone', 'confirmAddress']

type Props = {
  data: CartPage
  goods: number
  money: MoneyFormat
  /** Nothing in the cart is to be had. */
  gone?: boolean
}

/** What is in the way of the order. The button leads the focus here. */
export function Blocks({ data, goods, money, gone }: Props) {
  const t = useText()
  // The keys of a tablet are asked on the spot where this would be told, and that the dishes could not be checked is told
  // beside the button.
  const isListed = (block: string) =>
    !['problems', 'empty', 'checkFailed'].includes(block) && !(block === 'table' && data.keypad)
  const blocks = data.blocks.filter(isListed)
  const changed = data.blocks.includes('problems')
  if (blocks.length === 0 && !changed) return null
  return (
    <section className="notes" aria-label={t('block.title')}>
      {changed ? (
        <p className="note" data-bad>
          {t(gone ? 'block.gone' : 'block.problems')}{' '}
          <a className="link" href="#block-problems">
            {t('cart.problems')}
          </a>
        </p>
      ) : null}
      {blocks.map((block) => (
        <Fragment key={block}>
          <div id={`block-${block}`} className="note" tabIndex={-1}>
            {blockText(t, block, data, goods, money) ?? t('errors.unavailable')}
          </div>
          {LEADS_ON.includes(block) ? (
            <Link
              className="link"
              to={
                block === 'minSum' && data.venue
                  ? paths.menu(data.venue.id)
                  : paths.addresses({ back: paths.cart() })
              }
            >
              {t(block === 'minSum' ? 'cart.toMenu' : 'block.toAddress')}
            </Link>
          ) : null}
          {block === 'noTariff' || block === 'addressFailed' ? <Retry /> : null}
        </Fragment>
      ))}
    </section>
  )
}

/** Asks for the page once more; a link for those without scripts. */
export function Retry() {
  const t = useText()
  const revalidate = useRevalidate()
  return (
    <a
      className="link"
      href={paths.cart()}
      onClick={(event) => {
        event.preventDefault()
        void revalidate()
      }}
    >
      {t('app.retry')}
    </a>
  )
}

/** The words for an obstacle with the sums and places that it speaks of; none for one that is not known here. */
export function blockText(
  t: Text,
  block: string,
  { delivery, unpaid, far }: CartPage,
  goods: number,
  money: MoneyFormat,
): string | undefined {
  const limit = block === 'minSum' ? delivery?.minSum : block === 'maxSum' ? delivery?.maxSum : 0
  if (limit === undefined || limit === null) return undefined
  const text = block === 'unpaid' && unpaid?.venue ? 'unpaidAt' : block
  return t.maybe(`block.${text}`, {
    sum: formatMoney(unpaid?.sum ?? limit, money),
    missing: formatMoney(Math.max(0, limit - goods), money),
    number: unpaid?.number ?? '',
    venue: unpaid?.venue ?? '',
    distance: far === null ? '' : formatDistance(far, t),
  })
}
