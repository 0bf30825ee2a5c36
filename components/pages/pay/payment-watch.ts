/** An open page of paying asks how it stands: often at first, then seldom, and only while the page is seen (PY-13). */

import { useEffect, useState } from 'react'
import { noteArrival } from '../../lib/browser/back.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { askAgain } from '../../lib/router/use-asking.ts'
import { useAsk } from '../../lib/router/use-navigation.ts'

const SOON = 2000
const LATER = 5000
/** How long it is asked often, milliseconds; then a guest who has paid is told that there is no need to wait. */
const LATE = 30_000

/** Whether the guest has waited long for the bank's word. */
export function usePaymentWatch({ state, returned }: PaymentPage): boolean {
  const ask = useAsk()
  const waits = state === 'waiting' || state === 'checking'
  const isChecked = state === 'checking' || (state === 'waiting' && returned)
  const [late, setLate] = useState(false)

  // Time and visibility are outside of React.
  useEffect(() => {
    if (!waits) return
    const began = performance.now()
    return askAgain(ask, () => (performance.now() - began < LATE ? SOON : LATER))
  }, [waits, ask])

  // Where it was paid is behind the order then, and the cart of it is empty (RT-17).
  useEffect(
    () => () => {
      if (location.pathname.includes('/order/')) noteArrival(true)
    },
    [],
  )

  // The timer is outside of React.
  useEffect(() => {
    if (!isChecked) return
    const timer = setTimeout(() => setLate(true), LATE)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isChecked])

  return late
}
