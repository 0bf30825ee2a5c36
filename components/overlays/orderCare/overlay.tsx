import { useShell } from '../../lib/page/shell.ts'
import { useText } from '../../lib/text/text.tsx'
import type { CareProps } from '../../parts/order/OrderView.tsx'
import { withQuery } from '../../paths.ts'
import { Canceled } from './Canceled.tsx'
import { CancelQuestion } from './CancelQuestion.tsx'
import { Delivery } from './Delivery.tsx'
import { GradeSheet } from './GradeSheet.tsx'
import { Paid } from './Paid.tsx'
import './order-care.css'

/** A part of the page of an order that most visits do without. */
export function Overlay({ part, order }: CareProps) {
  const t = useText()
  const { url, flash } = useShell()
  const key = new URLSearchParams(url.split('?')[1]).get('key')
  const here = withQuery(url, { step: null })
  switch (part) {
    case 'cancel':
      return <CancelQuestion order={order} capability={key} here={here} />
    case 'delivery':
      return order.delivery ? <Delivery delivery={order.delivery} /> : null
    case 'canceled':
      return <Canceled order={order} />
    case 'paid':
      return <Paid order={order} />
    default:
      return order.grade.requested ? (
        <GradeSheet order={order} capability={key} here={here} />
      ) : (
        <p className="note" data-info="" role={flash?.kind === 'orderGraded' ? 'status' : undefined}>
          {t('order.graded', { grade: order.grade.given ?? '' })}
        </p>
      )
  }
}
