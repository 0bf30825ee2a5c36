import { Link } from 'react-router'
import { formatDate, formatMoney, formatTime } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { RepeatOrder } from '../../parts/cart/RepeatOrder.tsx'
import { Totals } from '../../parts/cart/Totals.tsx'
import { Ornament } from '../../parts/message/Ornament.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { paths } from '../../paths.ts'
import { OrderSteps } from './OrderSteps.tsx'
import { useLiveOrder } from './order-live.ts'
import '../../parts/cart/cart-line.css'
import './order.css'

export const title: PageTitle<'order'> = ({ number }, t) => t('head.order.title', { number })

export const frame: PageFrame<'order'> = { back: ({ venue }) => paths.menu(venue.id) }

type Props = { data: OrderPage }

/** One order on its way: the number to show, where it is now, what is in it. */
export function Page({ data }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const shell = useShell()
  const { order, stale } = useLiveOrder(data)
  return (
    <div className="track">
      <section className="card now" data-status={order.status}>
        <p className="soft">{t('order.number')}</p>
        <p className="ticket num">{order.number}</p>
        <Ornament />
        <div role="status">
          <h1>{headerOf(t, order)}</h1>
        </div>
        <Hint order={order} />
        {order.readyAt === null ? null : (
          <p className="num">
            <b>{t('order.readyAt', { time: formatTime(order.readyAt, order.utcOffset) })}</b>
          </p>
        )}
        {order.pickup && !order.final ? <p>{t('order.pickup')}</p> : null}
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
              <a className="link" href={shell.url}>
                {t('order.refresh')}
              </a>
            </>
          )}
        </p>
        {stale && !order.final ? <p className="note">{t('order.stale')}</p> : null}
      </section>
      <div>
        <section className="card" aria-labelledby="about">
          <h2 id="about">{order.venue.name}</h2>
          <p className="soft">{order.venue.address}</p>
          <Section name="about">
            <Facts order={order} />
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
            <Totals totals={order.totals} money={order.money} settled={order.final} />
          </section>
        ) : (
          <p className="note" data-info>
            {t('order.private')}
          </p>
        )}
        {order.final ? null : <p className="soft">{t('order.keep')}</p>}
        {order.final && order.personal ? <RepeatOrder order={order.id} /> : null}
        <Link className="button" data-quiet to={paths.menu(order.venue.id)}>
          {t('order.more')}
        </Link>
      </div>
    </div>
  )
}

function Hint({ order }: { order: OrderPage }) {
  const t = useText()
  if (order.status === 'canceled') {
    return (
      <>
        {order.reason ? <p>{t('order.reason', { reason: order.reason })}</p> : null}
        <p>{t(order.payment === 'online' ? 'order.refund' : 'order.noCharge')}</p>
      </>
    )
  }
  return <p>{hintOf(t, order)}</p>
}

function hintOf(t: Text, { status, service, pickup }: OrderPage): string {
  return status === 'ready'
    ? t('order.hint.ready', { service: pickup ? 'takeaway' : service })
    : (t.maybe(`order.hint.${status}`) ?? '')
}

/** The page's headers are other words than the labels of the steps (OR-02, ZZ-10). */
function headerOf(t: Text, { status, service }: OrderPage): string {
  return status === 'completed' ? t('order.header.completed', { service }) : t(`order.header.${status}`)
}

function Facts({ order }: { order: OrderPage }) {
  const t = useText()
  const { createdAt, createdWords, utcOffset } = order
  const created = createdAt === null ? createdWords : formatDate(createdAt, utcOffset, t.lang)
  return (
    <dl className="facts">
      {created ? (
        <div>
          <dt>{t('order.created')}</dt>
          <dd className="num">{created}</dd>
        </div>
      ) : null}
      {order.table ? (
        <div>
          <dt>{t('order.table')}</dt>
          <dd>{order.table}</dd>
        </div>
      ) : null}
      {order.personal ? (
        <div>
          <dt>{t('order.payment')}</dt>
          <dd>{t(`payment.${order.payment}`)}</dd>
        </div>
      ) : null}
      {order.comment ? (
        <div>
          <dt>{t('order.comment')}</dt>
          <dd>{order.comment}</dd>
        </div>
      ) : null}
    </dl>
  )
}
