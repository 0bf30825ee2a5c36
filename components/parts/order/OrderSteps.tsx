import { formatDay, formatTime } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { labelOf } from './status-labels.ts'

/** A day stays on one line. */
const NBSP = '\u00a0'

type Props = {
  order: OrderPage
  /** What the page's headline calls the current step: the step has the same word. */
  now: string
}

/** The step that the order has come to, be it that nobody says when. */
const currentOf = ({ steps, status }: OrderPage): number =>
  steps.findLastIndex((step) => step.at !== null || step.status === status)

/** How far it is, for the eye: the steps that follow say it in words. */
export function OrderProgress({ order }: Pick<Props, 'order'>) {
  const { steps, final } = order
  const current = currentOf(order)
  return (
    <p className="progress" aria-hidden="true">
      {steps.map((step, index) => (
        <i
          key={step.status}
          data-done={index <= current || undefined}
          data-now={(index === current + 1 && !final) || undefined}
        />
      ))}
    </p>
  )
}

/** The way of an order from above to below. A step that was reached stays reached (OR-03). */
export function OrderSteps({ order, now }: Props) {
  const t = useText()
  const { steps, status, nextAt, nextUntil, utcOffset } = order
  const current = currentOf(order)
  return (
    <ol className="steps" aria-label={t('order.steps')} data-bad={status === 'canceled' || undefined}>
      {steps.map((step, index) => (
        <li
          key={step.status}
          data-done={index <= current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={index === current ? 'vh' : undefined}>{labelOf(t, step.status, order)}</span>
          {index === current ? <span aria-hidden="true">{now}</span> : null}
          {step.at !== null ? (
            <span className="num soft">{formatTime(step.at, utcOffset)}</span>
          ) : index === current + 1 && nextAt !== null && !isGuests(order) ? (
            <span className="num soft">{expectedText(t, 'order.expected', order, nextAt, nextUntil)}</span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

/** What follows is its guest's doing: to fetch it, or to eat. When is up to them. */
function isGuests({ status, service }: OrderPage): boolean {
  return status === 'ready' && service !== 'delivery'
}

/** It is ready, and its guest comes for it. */
export function isFetched({ status, service, pickup }: OrderPage): boolean {
  return status === 'ready' && (service === 'takeaway' || pickup)
}

/**
 * A time, or between which two it lies (OR-06), with its day where that is not the venue's today. The day follows the
 * sentence: beside the time each language would bend the words around it in another way.
 */
export function expectedText(
  t: Text,
  key:
    | 'order.arrives'
    | 'order.cookedAt'
    | 'order.expected'
    | 'order.late'
    | 'order.promised'
    | 'order.readyAt'
    | 'order.readySince',
  { utcOffset, readAt }: OrderPage,
  from: number,
  until: number | null,
): string {
  const begin = formatTime(from, utcOffset)
  const said = t(key, {
    time:
      until === null || formatTime(until, utcOffset) === begin
        ? begin
        : `${begin}–${formatTime(until, utcOffset)}`,
  })
  const day = formatDay(from, utcOffset, t.lang)
  return day === formatDay(readAt, utcOffset, t.lang) ? said : `${said}, ${day.replace(' ', NBSP)}`
}
