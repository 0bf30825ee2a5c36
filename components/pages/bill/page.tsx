import { useEffect } from 'react'
import { formatDate, formatTime } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { BillPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { paths } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'
import { newsBar } from './at-lower-edge.ts'
import { BillLines } from './BillLines.tsx'
import { useLiveBill } from './bill-live.ts'
import { choosesDishes } from './chooses-dishes.ts'
import { Gone } from './Gone.tsx'
import { leftText } from './left-text.ts'
import { Own } from './Own.tsx'
import { Pay } from './Pay.tsx'
import { payingOwn } from './paying-own.ts'
import { saysNews } from './problem.ts'
import { Sums } from './Sums.tsx'
import { Waiter } from './Waiter.tsx'
import '../../ui/note.css'
import './bill.css'

export const title: PageTitle<'bill'> = ({ table, preorder }, t) =>
  preorder ? t('bill.preorder') : table ? t('bill.titleOf', { table }) : t('bill.title')

export const frame: PageFrame<'bill'> = {
  back: ({ venueId, choice, calling, href, state, preorder }) =>
    (choice || calling) && state !== 'notFound'
      ? href
      : preorder
        ? paths.booking()
        : venueId === null
          ? null
          : paths.menu(venueId),
  venue: ({ money }) => ({ money }),
}

type Props = { data: BillPage }

/** The bill of a table or a preorder: what it is for, what is left, and the ways to pay it. */
export function Page({ data }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const { bill, stale, changed, news } = useLiveBill(data)
  const { state, href } = bill
  const chooses = choosesDishes(bill)
  // Sums of nothing say nothing.
  const isEmpty = bill.total === 0 && bill.lines.length === 0
  const hasClosed = data.state === 'open' && state !== 'open'

  // The address of a closed bill names it: a reload says the same, and the guest's own parts come with it.
  useEffect(() => {
    if (hasClosed) void navigate(href, { replace: true })
  }, [hasClosed, href, navigate])

  return (
    <div className="bill" data-state={state}>
      <p className="vh" role="status">
        {news}
      </p>
      {state === 'open' ? (
        <>
          <section className="card top">
            <h1>{title(bill, t)}</h1>
            <p className="soft">
              {bill.venue} {bill.number ? <span>{t('bill.number', { number: bill.number })}</span> : null}
            </p>
            {bill.booked === null ? null : (
              <p>{t('bill.booked', { at: formatDate(bill.booked, bill.utcOffset, t.lang) })}</p>
            )}
            {bill.booked !== null && isDue(bill) ? <p>{t('bill.payUntil')}</p> : null}
            {bill.waiter ? <p>{t('bill.waiter', { name: bill.waiter })}</p> : null}
            {isEmpty ? null : <Left bill={bill} />}
            {/* Heard of by who does not see it: a region speaks when it was there before its words. */}
            <p className={stale ? 'note' : 'vh'} aria-live="polite">
              {stale ? t('bill.stale') : ''}
            </p>
            <p className="soft fresh">
              {t('app.updated', { time: formatTime(bill.readAt, bill.utcOffset) })}{' '}
              <a className="link" href={href}>
                {t('bill.refresh')}
              </a>
            </p>
            <Own bill={bill} />
          </section>
          {bill.calling || bill.waiterIn > 0 ? <Waiter bill={bill} asked={bill.calling} /> : null}
          <Section name="pay">
            <Pay bill={bill} />
          </Section>
          {isEmpty ? null : (
            <section className="card" aria-labelledby="content">
              <h2 id="content">{t('bill.lines')}</h2>
              {chooses ? null : (
                <Section name="lines">
                  <BillLines bill={bill} changed={changed} />
                </Section>
              )}
              <Sums bill={bill} />
            </section>
          )}
          <div className="more">
            {bill.calling || bill.waiterIn > 0 || !bill.callsWaiter ? null : <Waiter bill={bill} />}
            {bill.venueId === null ? null : (
              <Link className="button" data-quiet to={paths.menu(bill.venueId)}>
                {t('cart.toMenu')}
              </Link>
            )}
          </div>
          {/* What the ways to pay say already is not said beside them; who does not see it hears of it once. */}
          {news && bill.left > 0 && !saysNews(t, bill) ? (
            <p ref={newsBar} className="note news" data-info aria-hidden="true">
              {news}
            </p>
          ) : null}
        </>
      ) : (
        <Gone bill={bill} />
      )}
    </div>
  )
}

/** Whether a preorder is to be paid, and can be, before its table is taken. */
function isDue({ preorder, booked, readAt, left, ways }: BillPage): boolean {
  return preorder && booked !== null && booked > readAt && left > 0 && ways.length > 0
}

/** What is left to pay, and what is at a bank: as long as it may come back, "0 left" is not all that is to say. */
function Left({ bill }: { bill: BillPage }) {
  const t = useText()
  const { left, paying, money } = bill
  const own = payingOwn(bill)
  const rows: [string, number, boolean][] = [
    [t('bill.payingOwn'), own, own > 0],
    [leftText(t, bill), left, left > 0 || paying + own === 0],
    [t('bill.paying'), paying, paying > 0],
  ]
  return rows
    .filter(([, , isShown]) => isShown)
    .map(([words, sum], index) => (
      <p key={words} className={index === 0 ? 'left' : 'soft'}>
        {words}{' '}
        <b className="num">
          <Sum of={sum} money={money} />
        </b>
      </p>
    ))
}
