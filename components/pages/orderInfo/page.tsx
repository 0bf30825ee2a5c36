import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { OrderView } from '../../parts/order/OrderView.tsx'
import { paths } from '../../paths.ts'
import { OrderCare } from '../OrderCare.tsx'
import '../../frame/nav.css'

export const title: PageTitle<'orderInfo'> = ({ number }, t) => t('head.order.title', { number })

export const frame: PageFrame<'orderInfo'> = { back: () => paths.orders() }

type Props = { data: OrderPage }

/** One of the signed-in guest's orders. */
export function Page({ data }: Props) {
  return <OrderView data={data} care={OrderCare} />
}
