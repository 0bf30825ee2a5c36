import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { withQuery } from '../../paths.ts'
import { CancelQuestion } from './CancelQuestion.tsx'
import { Delivery } from './Delivery.tsx'
import { GradeSheet } from './GradeSheet.tsx'
import './order-care.css'

type Props = { part: 'cancel' | 'delivery' | 'grade'; order: OrderPage }

/** A part of the page of an order that most visits do without. */
export function Overlay({ part, order }: Props) {
  const { url } = useShell()
  const key = new URLSearchParams(url.split('?')[1]).get('key')
  const here = withQuery(url, { step: null })
  switch (part) {
    case 'cancel':
      return <CancelQuestion order={order} capability={key} here={here} />
    case 'delivery':
      return order.delivery ? <Delivery delivery={order.delivery} /> : null
    default:
      return <GradeSheet order={order} capability={key} here={here} />
  }
}
