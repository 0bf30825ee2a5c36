import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { formatMoney, formatTime } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage, Shell } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { paths, withQuery } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import { RepeatOrder } from '../cart/RepeatOrder.tsx'
import { Totals } from '../cart/Totals.tsx'
import { Section } from '../section/Section.tsx'
import { isNew } from './is-new.ts'
import { lateOf } from './late.ts'
import { OrderFacts } from './OrderFacts.tsx'
import { expectedText, isFetched, OrderProgress, OrderSteps } from './OrderSteps.tsx'
import { useLiveOrder } from './order-live.ts'
import { headerOf, isAwaiting } from './status-labels.ts'
import { VenueContact } from './VenueContact.tsx'
import './order.css'

/**
 * What few orders show has code of its own: the question before one is taken back, the courier, money that moves, the
 * grade; and all of the order of a fridge.
 */
type CarePart = 'cancel' | 'canceled' | 'delivery' | 'fridge' | 'grade' | 'paid'
export type CareProps = {
  part: CarePart
  order: OrderPage
  /** Nothing was heard of it for long. */
  stale?: boolean
}
export type Care = ComponentType<CareProps>

type Props = {
  data: OrderPage
  care: Care
  /** The heading of a page that is not about the status alone. */
  lead?: string
  /** Where the guest gets it, as it is now. */
  where?: (order: OrderPage) => ReactNode
  /** What is of use as long as the order goes on. */
  meanwhile?: ReactNode
  /** What the page has beyond the order. */
  children?: ReactNode
}

/** One order on its way: the number to show, where it is now, what is in it. */
export function OrderView({ data, care: Care, lead, where, meanwhile, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { url, flash, table, kiosk } = useShell()
  const { order, stale } = useLiveOrder(data)
  // Later the state is what the page is about.
  const thanks = isNew(order) ? lead : undefined
  const Heading = thanks ? 'h2' : 'h1'
  const heading = useRef<HTMLHeadingElement>(null)
  const isAtThanks = useRef(false)
  const isStale = stale && !order.final
  const promise = order.delivery?.promise
  const coming = order.status === 'delivery' ? order.nextAt : null
  const late = lateOf(order)
  const readySince = isFetched(order)
    ? (order.steps.find(({ status }) => status === 'ready')?.at ?? null)
    : null
  // Who came to the thanks is not left at nothing when they go.
  useEffect(() => {
    if (thanks || !isAtThanks.current || !heading.current) return
    isAtThanks.current = false
    heading.current.tabIndex = -1
    heading.current.focus({ preventScroll: true })
  }, [thanks])
  if (order.fridge) return <Care part="fridge" order={order} stale={stale} />
  return (
    <div className="track">
      {data.cancelling ? <Care part="cancel" order={order} /> : null}
      {(flash?.kind === 'orderTooLate' || (data.cancelling && !order.canCancel)) && !order.final ? (
        <p className="note" data-bad role="alert">
          {t('order.tooLate')}
        </p>
      ) : null}
      <section className="card now" data-status={order.status} data-read={order.readAt}>
        {thanks ? (
          <h1
            onFocus={() => {
              isAtThanks.current = true
            }}
            onBlur={() => {
              isAtThanks.current = false
            }}
          >
            {thanks}
          </h1>
        ) : null}
        <div className="order-no">
          <p>
            <span className="soft">{t('order.number')}</span>
            <b className="ticket num">{order.number}</b>
          </p>
          {order.table ? (
            <p>
              <span className="soft">{t('order.table')}</span>
              <b className="num">{order.table}</b>
            </p>
          ) : null}
        </div>
        <div role="status">
          <Heading ref={heading}>{headerOf(t, order)}</Heading>
          {/* It should be there: what time that was, and whom to ask. */}
          {late === null ? null : (
            <>
              <p className="ready-at num">{expectedText(t, 'order.late', order, late, null)}</p>
              {/* Who sits there is nearer to a waiter than to a phone. */}
              <WaiterLink order={order} table={table} />
              <VenueContact order={order} />
            </>
          )}
          {readySince === null ? null : (
            <p className="ready-at num">{expectedText(t, 'order.readySince', order, readySince, null)}</p>
          )}
          {/* What the guest waits for comes before what the kitchen is at. */}
          {promise ? (
            <p className={coming === null ? 'ready-at num' : 'soft num'}>
              {expectedText(t, 'order.promised', order, promise.from, promise.until)}
            </p>
          ) : null}
          {order.readyAt === null ? null : (
            <p className={promise ? 'soft num' : 'ready-at num'}>
              {expectedText(
                t,
                order.service === 'delivery' ? 'order.cookedAt' : 'order.readyAt',
                order,
                order.readyAt,
                untilOf(order),
              )}
            </p>
          )}
          {coming === null ? null : (
            <p className="ready-at num">{expectedText(t, 'order.arrives', order, coming, order.nextUntil)}</p>
          )}
        </div>
        {order.status === 'canceled' ? null : <OrderProgress order={order} />}
        {order.refund ? <Care part="canceled" order={order} /> : <p>{hintOf(t, order)}</p>}
        {isCash(order) ? (
          <p>
            <b>{t('order.payCash', { to: payeeOf(order), sum: totalOf(order) })}</b>
          </p>
        ) : null}
        {order.final ? null : where?.(order)}
        <Counter order={order} />
        {order.pickup && !order.final ? <p>{t('order.pickup')}</p> : null}
        {isFetched(order) ? <VenueContact order={order} /> : null}
        {order.payHref ? (
          <a className="button" href={order.payHref}>
            {t('order.pay')}
          </a>
        ) : null}
        {/* Heard of by who does not see it: a region speaks when it was there before its words. */}
        <p className={isStale ? 'note' : 'vh'} aria-live="polite">
          {isStale ? t('order.stale') : ''}
        </p>
      </section>
      <div>
        {order.grade.requested || order.grade.given ? <Care part="grade" order={order} /> : null}
        {order.delivery ? <Care part="delivery" order={order} /> : null}
        {order.personal ? (
          <section className="card" aria-labelledby="content">
            <h2 id="content">{t('order.lines')}</h2>
            <Section name="lines">
              <ul>
                {order.lines.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, their order is fixed
                  <li key={index}>
                    <span lang={langOf(line.name)}>
                      {line.name}
                      {line.qty > 1 ? <span className="num">{`\u00a0× ${line.qty}`}</span> : null}
                      {line.options.length > 0 ? (
                        <span className="soft">{line.options.join(', ')}</span>
                      ) : null}
                      {line.note ? <span className="soft">{t('cart.note', { note: line.note })}</span> : null}
                    </span>
                    <span className="num">
                      <Sum of={line.sum} money={order.money} />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
            <Totals totals={order.totals} money={order.money} settled={order.final || order.paid} />
          </section>
        ) : (
          <p className="note" data-info>
            {t('order.private')}
          </p>
        )}
        <AtHand order={order} table={table} />
      </div>
      <div>
        <section className="card" aria-labelledby="about">
          <h2 id="about">{order.venue.name}</h2>
          <p className="soft">{order.venue.address}</p>
          <Section name="steps">
            <OrderSteps order={order} now={headerOf(t, order)} />
          </Section>
          <Section name="about">
            <OrderFacts order={order} care={Care} />
          </Section>
          <p className="soft">
            {t('app.updated', { time: formatTime(order.readAt, order.utcOffset) })}
            {order.final ? null : (
              <>
                {' '}
                <a className="link" href={url}>
                  {t('order.refresh')}
                </a>
              </>
            )}
          </p>
        </section>
        {order.chat ? (
          <a
            className="button chat"
            data-quiet=""
            href={order.chat}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="message-circle" /> {t('order.chat')}
          </a>
        ) : null}
        {order.final ? null : meanwhile}
        {children}
        {/* The page of a tablet can't be closed. */}
        {order.final || lead || kiosk ? null : <p className="soft">{t('order.keep')}</p>}
        {order.final && order.personal ? <RepeatOrder order={order.id} /> : null}
        <Link className="button" data-quiet to={paths.menu(order.venue.id)}>
          {/* Beside the same order once more it is the menu. */}
          {t(order.final && order.personal ? 'cart.toMenu' : 'order.more')}
        </Link>
        {order.canCancel && !data.cancelling ? (
          <Link className="link" data-bad to={withQuery(url, { step: 'cancel' })}>
            {t('order.cancel')}
          </Link>
        ) : null}
      </div>
    </div>
  )
}

/** Where an order is fetched, until it is, with the ways there. */
function Counter({ order: { service, final, fridge, venue } }: { order: OrderPage }) {
  const t = useText()
  const { kiosk } = useShell()
  if (service !== 'takeaway' || final || fridge || !venue.address) return null
  return (
    <p>
      {t('order.takeaway', { address: venue.address })} {/* Who orders at a tablet is there. */}
      {kiosk ? null : (
        <Link className="link" to={`${paths.details(venue.id)}#address`}>
          {t('order.route')}
        </Link>
      )}
    </p>
  )
}

type AtHandProps = { order: OrderPage; table: Shell['table'] }

/** What a guest may want meanwhile: to show friends how far it is, or a guest at the table. */
function AtHand({ order, table }: AtHandProps) {
  const { venue, id, number, final } = order
  const t = useText()
  const { kiosk, origin } = useShell()
  const [said, setSaid] = useState('')
  const hydrated = useHydrated()

  async function share(): Promise<void> {
    // Without its key the open address tells the status alone (ZZ-06).
    const url = origin + paths.order(venue.id, id)
    // Fetched for who presses: an order has to come with few bytes.
    const copied = await import('../../lib/browser/clipboard.ts').then(
      ({ shareLink }) => shareLink(t('head.order.title', { number }), url),
      () => false,
    )
    if (copied !== null) setSaid(t(copied ? 'dish.copied' : 'dish.copyFailed'))
  }

  return (
    <p className="at-hand">
      {/* Nothing leads out of a tablet (KS-06). */}
      {hydrated && !final && venue.id > 0 && !kiosk ? (
        <button type="button" className="chip" aria-live="polite" onClick={share}>
          {said || t('dish.share')}
        </button>
      ) : null}
      {lateOf(order) === null ? <WaiterLink order={order} table={table} /> : null}
    </p>
  )
}

/** At the table that is served. */
function WaiterLink({ order: { venue, table: at }, table }: AtHandProps) {
  const t = useText()
  if (table?.venueId !== venue.id || at === null) return null
  return (
    <Link
      className="chip"
      to={paths.bill(venue.id, {
        filial_id: venue.id,
        table_id: table.tableId,
        main_terminal_id: table.mainVenueId,
        step: 'waiter',
      })}
    >
      {t('bill.call')}
    </Link>
  )
}

function hintOf(t: Text, order: OrderPage): string {
  const { status, service, pickup } = order
  if (isAwaiting(order)) return t('order.hint.awaiting')
  return status === 'ready'
    ? t('order.hint.ready', { service: pickup ? 'takeaway' : service })
    : (t.maybe(`order.hint.${status}`) ?? '')
}

/** What is paid when it is handed over; the total is known to who has ordered. */
function isCash({ personal, payment, paid, final }: OrderPage): boolean {
  return personal && payment === 'cash' && !paid && !final
}

function payeeOf({ service, pickup }: OrderPage) {
  return service === 'delivery' ? 'courier' : pickup || service === 'takeaway' ? 'counter' : 'waiter'
}

function totalOf({ totals, money }: OrderPage): string {
  return formatMoney(totals.find(({ kind }) => kind === 'total')?.sum ?? 0, money)
}

/** When it will be ready at the latest: what is cooked is ready next. */
function untilOf({ nextAt, nextUntil, readyAt }: OrderPage): number | null {
  return readyAt === nextAt ? nextUntil : null
}
