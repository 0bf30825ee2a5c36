import { formatTime } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { labelOf } from './words.ts'

type Props = { order: OrderPage }

/** The way of an order from above to below. A step that was reached stays reached (OR-03). */
export function OrderSteps({ order }: Props) {
  const t = useText()
  const { steps, nextAt, nextUntil, utcOffset } = order
  const current = steps.findLastIndex((step) => step.at !== null)
  return (
    <ol className="steps" aria-label={t('order.steps')}>
      {steps.map((step, index) => (
        <li
          key={step.status}
          data-done={step.at !== null || index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span>{labelOf(t, step.status, order)}</span>
          {step.at !== null ? (
            <span className="num soft">{formatTime(step.at, utcOffset)}</span>
          ) : index === current + 1 && nextAt !== null ? (
            <span className="num soft">
              {t('order.expected', { time: formatRange(nextAt, nextUntil, utcOffset) })}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

/** A time, or between which two it lies (OR-06). */
export function formatRange(from: number, until: number | null, utcOffset: number): string {
  const time = formatTime(from, utcOffset)
  return until === null ? time : `${time}–${formatTime(until, utcOffset)}`
}
