import type { BookingPage, CartView, MoneyFormat } from '../../lib/page-data.ts'

/** Whether what lies in the cart is of this restaurant. */
export function isOf({ venue }: BookingPage, cart: CartView | null | undefined): cart is CartView {
  return cart != null && cart.venueId === venue?.id && cart.count > 0
}

/** Whether what lies in the cart can be ordered with the table. */
export function hasAhead(data: BookingPage, cart: CartView | null | undefined): cart is CartView {
  return data.ahead && isOf(data, cart)
}

/** What the dishes of a cart cost on the bill of a preorder: with service, which is rounded down to whole coins. */
export function withService({ total, servicePercent }: CartView, { fractionDigits }: MoneyFormat): number {
  const service = Math.floor((total * (servicePercent ?? 0)) / 100)
  return total + service - (service % 10 ** Math.max(0, 2 - fractionDigits))
}
