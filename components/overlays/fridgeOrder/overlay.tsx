import { formatDate, formatMoney, formatTime } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Totals } from '../../parts/cart/Totals.tsx'
import { GradeForm } from '../../parts/grade/GradeForm.tsx'
import { Cashback, Fact } from '../../parts/order/Fact.tsx'
import type { CareProps } from '../../parts/order/OrderView.tsx'
import { headerOf } from '../../parts/order/status-labels.ts'
import { Section } from '../../parts/section/Section.tsx'
import { actions, paths } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'
import './fridge-order.css'

/** The steps of an order at a fridge, where nothing is cooked, served or brought. */
const TAGS = ['fresh', 'price', 'easy', 'stale', 'count', 'door'] as const

/** Two promises: what is called off comes back at once, what came too late within a day (PY-12). */
const REFUNDS = {
  nothing: 'order.noCharge',
  minutes: 'order.refund',
  day: 'order.refundDay',
} as const

/** The order of what was taken out of a fridge: what it came to, what is in it, what it is paid by. */
export function Overlay({ order, stale }: CareProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const { url } = useShell()
  const { status, fridge, final, grade, personal, lines, money, venue, payHref, readAt, totals } = order
  const isStale = stale && !final
  const canceled = status === 'canceled'
  const sum = totals.find(({ kind }) => kind === 'total')?.sum
  return (
    <div className="track">
      <section className="card now" data-status={status} data-read={readAt}>
        {sum === undefined ? null : (
          <p className="order-no">
            <b className="ticket num">
              <Sum of={sum} money={money} />
            </b>
          </p>
        )}
        <div role="status">
          <h1>{headerOf(t, { ...order, service: null })}</h1>
        </div>
        {canceled ? (
          <Canceled order={order} />
        ) : (
          <p>{t(order.paid ? 'fridgeOrder.thanks' : 'fridgeOrder.left')}</p>
        )}
        {canceled ? null : (
          <Section name="steps">
            <Steps order={order} />
          </Section>
        )}
        {payHref ? (
          <a className="button" href={payHref}>
            {t('order.pay')}
          </a>
        ) : null}
        {/* Heard of by who does not see it: a region speaks when it was there before its words. */}
        <p className={isStale ? 'note' : 'vh'} aria-live="polite">
          {isStale ? t('order.stale') : ''}
        </p>
      </section>
      <div>
        {grade.requested || grade.given ? <Grade order={order} /> : null}
        {personal ? (
          <section className="card" aria-labelledby="content">
            <h2 id="content">{t('fridgeOrder.goods')}</h2>
            <Section name="lines">
              <ul>
                {lines.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, their order is fixed
                  <li key={index}>
                    <span lang={langOf(line.name)}>
                      {line.name}
                      {line.qty > 1 ? <span className="num">{`\u00a0× ${line.qty}`}</span> : null}
                      {line.options.length > 0 ? (
                        <span className="soft">{line.options.join(', ')}</span>
                      ) : null}
                    </span>
                    <span className="num">
                      <Sum of={line.sum} money={money} />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
            {/* The goods are above: what is more or less than they come to, and the sum. */}
            <Totals
              totals={totals.filter(({ kind }) => kind !== 'goods')}
              money={money}
              settled={final || order.paid}
            />
          </section>
        ) : (
          <p className="note" data-info>
            {t('order.private')}
          </p>
        )}
        <section className="card" aria-labelledby="about">
          <h2 id="about">{venue.name}</h2>
          <p className="soft">{venue.address}</p>
          <Section name="about">
            <Facts order={order} />
          </Section>
          <p className="soft">
            {t('fridgeOrder.help')}{' '}
            <Link className="link" to={paths.details(venue.id)}>
              {t('fridgeOrder.contacts')}
            </Link>
          </p>
          {final ? null : (
            <p className="soft">
              <a className="link" href={url}>
                {t('order.refresh')}
              </a>
            </p>
          )}
        </section>
        <Link className="button" data-quiet to={fridge ?? paths.menu(venue.id)}>
          {t('fridgeOrder.back')}
        </Link>
      </div>
    </div>
  )
}

type Props = { order: OrderPage }

/** Two steps: it is taken, it is paid. */
function Steps({ order }: Props) {
  const t = useText()
  const { createdAt, utcOffset, paid, steps } = order
  const isTaken = order.status === 'completed'
  const paidAt = paid ? (steps.at(-1)?.at ?? null) : null
  const way = [
    { name: t(isTaken ? 'fridgeOrder.taken' : 'fridgeOrder.chosen'), done: true, at: createdAt },
    { name: t(paid ? 'fridgeOrder.paid' : 'fridgeOrder.unpaid'), done: paid, at: paidAt },
  ]
  return (
    <ol className="steps" aria-label={t('fridgeOrder.steps')}>
      {way.map(({ name, done, at }, index) => (
        <li
          key={name}
          data-done={done || undefined}
          aria-current={index === (paid ? 1 : 0) ? 'step' : undefined}
        >
          <span>{name}</span>
          {at === null ? null : <span className="num soft">{formatTime(at, utcOffset)}</span>}
        </li>
      ))}
    </ol>
  )
}

/** Why nothing came of it, and what becomes of the money (OR-04). */
function Canceled({ order: { reason, refund, money } }: Props) {
  const t = useText()
  return (
    <>
      {reason ? <p>{t('order.reason', { reason })}</p> : null}
      <p>{t(REFUNDS[refund?.promise ?? 'nothing'])}</p>
      {refund?.sum ? <p>{t('order.refundSum', { sum: formatMoney(refund.sum, money) })}</p> : null}
    </>
  )
}

/** How was it? Asked once (OR-12). */
function Grade({ order: { id, grade } }: Props) {
  const t = useText()
  const { url, flash } = useShell()
  const key = new URLSearchParams(url.split('?')[1]).get('key')
  return grade.requested ? (
    <GradeForm
      title={t('fridgeOrder.gradeTitle')}
      action={actions.gradeOrder(id, key)}
      back={url}
      tags={TAGS.map((tag) => [tag, t(`fridgeOrder.tag.${tag}`)])}
    />
  ) : (
    <p className="note" data-info="" role={flash?.kind === 'orderGraded' ? 'status' : undefined}>
      {t('order.graded', { grade: grade.given ?? '' })}
    </p>
  )
}

/**
 * Its number and time, what was paid by what, what it earned, and the receipt (OR-20, PY-11, PY-17). The first and the last
 * row of money are those of `orderCare/Paid.tsx`: a file for both would be one more for every guest who pays by card.
 */
function Facts({ order }: Props) {
  const t = useText()
  const { createdAt, createdWords, utcOffset, money, cardSum, receipt } = order
  const created = createdAt === null ? createdWords : formatDate(createdAt, utcOffset, t.lang)
  return (
    <dl className="facts">
      <Fact name={t('order.number')} value={order.number} num />
      <Fact name={t('order.created')} value={created} num />
      <Fact name={t('order.payment')} value={order.personal && t(`payment.${order.payment}`)} />
      <Fact name={t('order.cardSum')} value={cardSum && formatMoney(cardSum, money)} num />
      <Cashback order={order} />
      {receipt ? (
        <div>
          <dt className="vh">{t('order.receipt')}</dt>
          <dd>
            <a className="link" href={receipt} target="_blank" rel="noopener noreferrer">
              {t('order.receipt')}
            </a>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}
