import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { isNew } from '../../parts/order/is-new.ts'
import { OrderView } from '../../parts/order/OrderView.tsx'
import { paths } from '../../paths.ts'
import { OrderCare } from '../OrderCare.tsx'
import { Notify } from './Notify.tsx'
import { SaveLink } from './SaveLink.tsx'
import '../../frame/nav.css'

export const title: PageTitle<'thankYou'> = (order, t) =>
  t(isNew(order) ? 'head.thankYou.title' : 'head.order.title', { number: order.number })

export const frame: PageFrame<'thankYou'> = { back: ({ venue, fridge }) => fridge ?? paths.menu(venue.id) }

type Props = { data: OrderPage }

/** After ordering: the number to show at the counter, what happens next, and how to find the way back here. */
export function Page({ data }: Props) {
  const t = useText()
  return (
    <OrderView
      data={data}
      care={OrderCare}
      lead={t('thanks.title')}
      where={(order) => {
        const where = placeOf(t, order)
        return where ? <p>{where}</p> : null
      }}
      meanwhile={
        <>
          <Notify />
          <SaveLink venue={data.venue.id} order={data.id} />
        </>
      }
    >
      <Link className="link" to={paths.orderInfo(data.id)}>
        {t('thanks.details')}
      </Link>
    </OrderView>
  )
}

/** Where the guest gets it. What is fetched says so itself. */
function placeOf(t: Text, { service, status, table, delivery }: OrderPage): string | null {
  // Once it is ready the step says it.
  if (service === 'express') return table && status !== 'ready' ? t('thanks.table', { table }) : null
  return delivery?.address ? t('thanks.delivery', { address: delivery.address }) : null
}
