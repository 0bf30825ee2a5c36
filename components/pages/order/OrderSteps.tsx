import { formatTime } from '../../lib/format/format.ts'
import type { OrderPage, OrderStatus } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'

type Props = { order: OrderPage }

/** The way of an order from above to below. A step that was reached stays reached (OR-03). */
export function OrderSteps({ order }: Props) {
  const t = useText()
  const current = order.steps.findLastIndex((step) => step.at !== null)
  return (
    <ol className="steps" aria-label={t('order.steps')}>
      {order.steps.map((step, index) => (
        <li
          key={step.status}
          data-done={step.at !== null || index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span>{labelOf(t, step.status, order.payment)}</span>
          {step.at !== null ? (
            <span className="num soft">{formatTime(step.at, order.utcOffset)}</span>
          ) : index === current + 1 && order.nextAt !== null ? (
            <span className="num soft">
              {t('order.expected', { time: formatTime(order.nextAt, order.utcOffset) })}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

/** The label of a status: "Paid" for a created order that was paid online, "Accepted" for cash (ZZ-09). */
function labelOf(t: Text, status: OrderStatus, payment: OrderPage['payment']): string {
  return status === 'created' ? t('order.label.created', { payment }) : t(`order.label.${status}`)
}
