import type { BookingPage, CartView } from '../../lib/page-data.ts'

/** Whether what lies in the cart is of this restaurant. */
export function isOf({ venue }: BookingPage, cart: CartView | null | undefined): cart is CartView {
  return cart != null && cart.venueId === venue?.id && cart.count > 0
}

/** Whether what lies in the cart can be ordered with the table. */
export function hasAhead(data: BookingPage, cart: CartView | null | undefined): cart is CartView {
  return data.ahead && isOf(data, cart)
}
