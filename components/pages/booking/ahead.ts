import type { BookingPage, CartView } from '../../lib/page-data.ts'

/** Whether what lies in the cart can be ordered with the table. */
export function hasAhead({ ahead, venue }: BookingPage, cart: CartView | null | undefined): cart is CartView {
  return ahead && cart != null && cart.venueId === venue?.id
}
