import { formatDate, formatMoney } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { BillPaidPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useAsking } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { GradeForm } from '../../parts/grade/GradeForm.tsx'
import { Ornament } from '../../parts/message/Ornament.tsx'
import { actions, paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import './bill-paid.css'

/** What was paid with bonuses alone gives no money back. */
export const title: PageTitle<'billPaid'> = (data, t) =>
  t(data.refunded ? (hasMoney(data) ? 'billPaid.refunded' : 'billPaid.bonusBack') : 'billPaid.title')

export const frame: PageFrame<'billPaid'> = { back: ({ bill }) => bill }

type Props = { data: BillPaidPage }

/** Milliseconds between two questions about what is left. */
const INTERVAL = 10_000

/** Thank you: what was paid, its receipt, how it was, and what is left for the others. */
export function Page({ data }: Props) {
  const t = useText()
  const { money, href, left, paying } = data
  // The others pay meanwhile, and a bank may refuse.
  useAsking(!data.refunded && (left !== 0 || paying > 0), INTERVAL)
  const rows: [string, number][] = [
    [t('billPaid.share'), data.sum],
    [t('billPaid.tips'), data.tips],
    [t('sum.bonus'), -data.bonus],
  ]
  return (
    <div className="bill-paid">
      <section className="card" aria-labelledby="paid">
        {data.refunded ? null : <Ornament />}
        <h1 id="paid">{title(data, t)}</h1>
        <p className="soft">{data.venue}</p>
        <dl>
          {rows.map(([name, sum], index) =>
            sum === 0 && index > 0 ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">
                  <Sum of={sum} money={money} />
                </dd>
              </div>
            ),
          )}
          <div>
            <dt>{t('billPaid.total')}</dt>
            <dd className="num">
              <b>
                <Sum of={data.sum + data.tips - data.bonus} money={money} />
              </b>
            </dd>
          </div>
          {data.inAll === null ? null : (
            <div>
              <dt>{t('billPaid.inAll')}</dt>
              <dd className="num">
                <Sum of={data.inAll} money={money} />
              </dd>
            </div>
          )}
          {data.way ? (
            <div>
              <dt>{t('order.payment')}</dt>
              <dd>{t(`payment.${data.way}`)}</dd>
            </div>
          ) : null}
        </dl>
        {data.refunded && hasMoney(data) ? <p>{t('order.refund')}</p> : null}
        {data.refunded && hasMoney(data) && data.bonus > 0 ? (
          <p>{t('billPaid.bonusesReturned', { sum: formatMoney(data.bonus, money) })}</p>
        ) : null}
        {data.cashback > 0 ? (
          <p className="note" data-info>
            {t('billPaid.cashback', { sum: formatMoney(data.cashback, money) })}
          </p>
        ) : null}
        {data.receipt ? (
          <p className="next">
            <a className="link" href={data.receipt} target="_blank" rel="noopener noreferrer">
              {t('billPaid.receipt')}
            </a>
          </p>
        ) : null}
        {data.booked === null ? null : (
          <p className="note" data-info>
            {t('billPaid.booked', { at: formatDate(data.booked, data.utcOffset, t.lang) })}
          </p>
        )}
        <Rest data={data} />
      </section>
      {data.asks ? (
        <GradeForm title={t('billPaid.how')} action={actions.gradeBill(href)} back={href} />
      ) : null}
      {data.thanked ? (
        <p className="note" data-info role="status">
          {t('billPaid.thanked')}
        </p>
      ) : null}
      {data.preorder ? (
        <p className="next">
          <Link className={data.asks ? 'link' : 'button'} to={paths.booking()}>
            {t('billPaid.bookings')}
          </Link>
        </p>
      ) : data.venueId === null ? null : (
        // The one action is the grade, as long as it is asked for.
        <p className="next">
          <Link className={data.asks ? 'link' : 'button'} to={paths.menu(data.venueId)}>
            {t('cart.toMenu')}
          </Link>
          <Link className="link" to={paths.reviewForm(data.venueId)}>
            {t('reviews.write')}
          </Link>
        </p>
      )}
    </div>
  )
}

function hasMoney({ sum, tips, bonus }: BillPaidPage): boolean {
  return sum + tips > bonus
}

/** What is left for the others, until the bill is paid: that is said without a load, and heard. */
function Rest({ data: { left, paying, money, bill } }: Props) {
  const t = useText()
  if (left === null) return <p role="status" />
  const isPaid = left === 0 && paying === 0
  // What is only at a bank may come back.
  const rows: [string, number][] =
    left === 0
      ? [[t('billPaid.paying'), paying]]
      : paying === 0
        ? [[t('billPaid.left'), left]]
        : [
            [t('billPaid.leftToChoose'), left],
            [t('billPaid.payingNow'), paying],
          ]
  return (
    <p role="status">
      {isPaid ? (
        <>
          <Icon name="circle-check" /> {t('billPaid.all')}
        </>
      ) : (
        <>
          {rows.map(([words, sum]) => (
            <span key={words}>
              {words}{' '}
              <b className="num">
                <Sum of={sum} money={money} />
              </b>{' '}
            </span>
          ))}
          <Link className="link" to={bill}>
            {t('billPaid.toBill')}
          </Link>
        </>
      )}
    </p>
  )
}
