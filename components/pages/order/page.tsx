import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { OrderView } from '../../parts/order/OrderView.tsx'
import { paths } from '../../paths.ts'
import { OrderCare } from '../OrderCare.tsx'

export const title: PageTitle<'order'> = ({ number }, t) => t('head.order.title', { number })

export const frame: PageFrame<'order'> = { back: ({ venue, fridge }) => fridge ?? paths.menu(venue.id) }

type Props = { data: OrderPage }

/** An order at its open address: whole for the guest who has placed it. */
export function Page({ data }: Props) {
  return <OrderView data={data} care={OrderCare} />
}
