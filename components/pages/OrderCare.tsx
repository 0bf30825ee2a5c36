import { useContext, useEffect, useState } from 'react'
import type { CareProps } from '../parts/order/OrderView.tsx'
import { OverlaysContext } from './overlays.ts'

/** What few orders show. Its code comes with the page that needs it, or when the order gets so far while it is open. */
export function OrderCare(props: CareProps) {
  const { modules, load } = useContext(OverlaysContext)
  const [, setReady] = useState(false)
  const id = props.part === 'fridge' ? 'fridgeOrder' : 'orderCare'
  const missing = !modules[id]

  // It comes over the network. Without it the page stays as it is; loaded anew it has everything.
  useEffect(() => {
    if (!missing) return
    let here = true
    load?.(id).then(
      () => here && setReady(true),
      () => {},
    )
    return () => {
      here = false
    }
  }, [id, missing, load])

  const Part = modules[id]?.Overlay
  return Part ? <Part {...props} /> : null
}
