import type { ComponentType, ReactNode } from 'react'
import { formatMoney, formatTime } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { paths, withQuery } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { RepeatOrder } from '../cart/RepeatOrder.tsx'
import { Totals } from '../cart/Totals.tsx'
import { Ornament } from '../message/Ornament.tsx'
import { Section } from '../section/Section.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { formatRange, OrderSteps } from './OrderSteps.tsx'
import { useLiveOrder } from './order-live.ts'
import { isAwaiting } from './words.ts'
import '../cart/cart-line.css'
import './order.css'

/** What few orders show has code of its own: the question before one is taken back, the courier, money that moves, the grade. */
export type CarePart = 'cancel' | 'canceled' | 'delivery' | 'grade' | 'paid'
export type Care = ComponentType<{ part: CarePart; order: OrderPage }>

type Props = {
  data: OrderPage
  care: Care
  /** The heading of a page that is not about the status alone. */
  lead?: ReactNode
  /** Where the guest gets it. */
  where?: ReactNode
  /** What the page has beyond the order. */
  children?: ReactNode
}

/** One order on its way: the number to show, where it is now, what is in it. */
export function OrderView({ data, care: Care, lead, where, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { url, flash } = useShell()
  const { order, stale } = useLiveOrder(data)
  const Heading = lead ? 'h2' : 'h1'
  return (
    <div className="track">
      {data.cancelling && order.canCancel ? <Care part="cancel" order={order} /> : null}
      {flash?.kind === 'orderTooLate' && !order.final ? (
        <p className="note" data-bad role="alert">
          {t('order.tooLate')}
        </p>
      ) : null}
      <section className="card now" data-status={order.status}>
        {lead}
        <p className="soft">{t('order.number')}</p>
        <p className="ticket num">{order.number}</p>
        <Ornament />
        <div role="status">
          <Heading>{headerOf(t, order)}</Heading>
        </div>
        {order.refund ? <Care part="canceled" order={order} /> : <p>{hintOf(t, order)}</p>}
        {order.readyAt === null ? null : (
          <p className="num">
            <b>{t('order.readyAt', { time: readyTime(order, order.readyAt) })}</b>
          </p>
        )}
        {order.final ? null : where}
        {order.pickup && !order.final ? <p>{t('order.pickup')}</p> : null}
        {order.payHref ? (
          <a className="button" href={order.payHref}>
            {t('order.pay')}
          </a>
        ) : null}
        {order.status === 'canceled' ? null : (
          <Section name="steps">
            <OrderSteps order={order} />
          </Section>
        )}
        <p className="soft">
          {t('app.updated', { time: formatTime(order.readAt, order.utcOffset) })}
          {order.final ? null : (
            <>
              {' · '}
              <a className="link" href={url}>
                {t('order.refresh')}
              </a>
            </>
          )}
        </p>
        {stale && !order.final ? <p className="note">{t('order.stale')}</p> : null}
      </section>
      <div>
        {order.grade.asked || order.grade.given ? <Care part="grade" order={order} /> : null}
        {order.delivery ? <Care part="delivery" order={order} /> : null}
        <section className="card" aria-labelledby="about">
          <h2 id="about">{order.venue.name}</h2>
          <p className="soft">{order.venue.address}</p>
          <Section name="about">
            <OrderFacts order={order} care={Care} />
          </Section>
        </section>
        {order.personal ? (
          <section className="card" aria-labelledby="content">
            <h2 id="content">{t('order.lines')}</h2>
            <Section name="lines">
              <ul>
                {order.lines.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, their order is fixed
                  <li key={index}>
                    <span lang={langOf(line.name)}>
                      {line.name} {line.qty > 1 ? <span className="num">× {line.qty}</span> : null}
                      {line.options.length > 0 ? (
                        <span className="soft">{line.options.join(', ')}</span>
                      ) : null}
                      {line.note ? <span className="soft">{t('cart.note', { note: line.note })}</span> : null}
                    </span>
                    <span className="num">{formatMoney(line.sum, order.money)}</span>
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
        {children}
        {order.final || lead ? null : <p className="soft">{t('order.keep')}</p>}
        {order.final && order.personal ? <RepeatOrder order={order.id} /> : null}
        <Link className="button" data-quiet to={paths.menu(order.venue.id)}>
          {t('order.more')}
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

function hintOf(t: Text, order: OrderPage): string {
  const { status, service, pickup } = order
  if (isAwaiting(order)) return t('order.hint.awaiting')
  return status === 'ready'
    ? t('order.hint.ready', { service: pickup ? 'takeaway' : service })
    : (t.maybe(`order.hint.${status}`) ?? '')
}

/** The page's headers are other words than the labels of the steps (OR-02, ZZ-10). */
function headerOf(t: Text, order: OrderPage): string {
  const { status, service } = order
  if (isAwaiting(order)) return t('order.awaiting')
  return status === 'completed' ? t('order.header.completed', { service }) : t(`order.header.${status}`)
}

function readyTime({ nextAt, nextUntil, utcOffset }: OrderPage, readyAt: number): string {
  return formatRange(readyAt, readyAt === nextAt ? nextUntil : null, utcOffset)
}
