import { formatTime } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { labelOf } from './words.ts'

type Props = {
  order: OrderPage
  /** What the page's headline calls the step that it is at: nobody reads two words for one thing beside each other. */
  now: string
}

/** How far it is, for the eye: the steps that follow say it in words. */
export function OrderProgress({ order: { steps, final } }: Pick<Props, 'order'>) {
  const current = steps.findLastIndex((step) => step.at !== null)
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
          <span className={index === current ? 'vh' : undefined}>{labelOf(t, step.status, order)}</span>
          {index === current ? <span aria-hidden="true">{now}</span> : null}
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
