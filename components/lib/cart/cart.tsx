/** The cart and the changes under way, as pages use them. */

import { createContext, useContext, useSyncExternalStore } from 'react'
import { type Mutation, type MutationOptions, useMutation } from '../mutations/use-mutation.ts'
import { CART_LANE, type CartSnapshot, type CartStore } from './store.ts'

export const CartContext = createContext<CartStore | null>(null)

/**
 * The cart as shown now: `cart` is the server's last word (sums come from nowhere else), the quantities are with
 * what the guest just tapped.
 */
export function useCart(): CartSnapshot {
  const store = useContext(CartContext)
  if (!store) throw new Error('no CartContext')
  return useSyncExternalStore(store.subscribe, store.snapshot, store.serverSnapshot)
}

/** One form's way to change the cart, or to order it. All of them share one serial queue. */
export function useCartMutation(options: Omit<MutationOptions, 'lane'> = {}): Mutation {
  return useMutation({ ...options, lane: CART_LANE })
}
