import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { GradeForm } from '../../parts/grade/GradeForm.tsx'
import { actions } from '../../paths.ts'

type Props = { order: OrderPage; capability: string | null; here: string }

/** How was it? Asked once of an order that is over. */
export function GradeSheet({ order, capability, here }: Props) {
  const t = useText()
  return (
    <GradeForm title={t('care.gradeTitle')} action={actions.gradeOrder(order.id, capability)} back={here} />
  )
}
