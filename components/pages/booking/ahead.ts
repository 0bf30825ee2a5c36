import type { BookingPage, Shell } from '../../lib/page-data.ts'

type Cart = Shell['cart']

/** Whether what lies in the cart can be ordered with the table. */
export function hasAhead({ ahead, venue }: BookingPage, cart: Cart): cart is NonNullable<Cart> {
  return ahead && cart !== null && cart.filialId === venue?.id
}
