import { useContext, useEffect, useState } from 'react'
import type { OrderPage } from '../lib/page-data.ts'
import type { CarePart } from '../parts/order/OrderView.tsx'
import { OverlaysContext } from './overlays.ts'

type Props = { part: CarePart; order: OrderPage }

/** What few orders show. Its code comes with the page that needs it, or when the order gets so far while it is open. */
export function OrderCare(props: Props) {
  const { modules, load } = useContext(OverlaysContext)
  const [, setReady] = useState(false)
  const missing = !modules.orderCare

  // It comes over the network. Without it the page stays as it is; loaded anew it has everything.
  useEffect(() => {
    if (!missing) return
    let here = true
    load?.('orderCare').then(
      () => here && setReady(true),
      () => {},
    )
    return () => {
      here = false
    }
  }, [missing, load])

  return modules.orderCare ? <modules.orderCare.Overlay {...props} /> : null
}
