/**
 * The addresses of the product and the screen that each of them is expected to show. The server has the last word:
 * every leaf shows the screen of the page data, this table only tells which code to fetch ahead.
 */

import type { RouteObject } from 'react-router'
import type { RouteId } from './lib/screens.tsx'
import { Leaf, Root } from './root.tsx'
import { RootError } from './root-error.tsx'

export const ROOT = 'root'

export const routeTable = [
  { id: 'home', path: '/' },
  { id: 'filials', path: '/filials' },
  { id: 'town', path: '/town' },
  { id: 'menu', path: '/filials/:filialId' },
  { id: 'cart', path: '/cart' },
  { id: 'order', path: '/filials/:filialId/order/:orderId' },
  { id: 'checking', path: '/orders/checking/:key' },
  { id: 'brands', path: '/brands' },
  { id: 'booking', path: '/brands/booking' },
  { id: 'brandFilials', path: '/brands/filials' },
  { id: 'coming', path: '/filials/:filialId/bill' },
  { id: 'coming', path: '/bills/preorder/:id' },
  { id: 'menuSearch', path: '/filials/:filialId/search' },
  { id: 'coming', path: '/filials/:filialId/barcode-scanner' },
  { id: 'coming', path: '/filials/:filialId/barcode-manual' },
  { id: 'details', path: '/filials/:filialId/details' },
  { id: 'map', path: '/map' },
  { id: 'search', path: '/search' },
  { id: 'coming', path: '/orders' },
  { id: 'coming', path: '/typ/:filialId/order/:id' },
  { id: 'coming', path: '/orders/:id' },
  { id: 'coming', path: '/profile' },
  { id: 'coming', path: '/profile/form' },
  { id: 'faq', path: '/faq' },
  { id: 'coming', path: '/address-map' },
  { id: 'coming', path: '/address-form' },
  { id: 'coming', path: '/auth' },
  { id: 'legal', path: '/legal/:doc' },
  { id: 'language', path: '/language' },
  { id: 'age', path: '/age' },
  { id: 'cookies', path: '/cookies' },
  { id: 'notFound', path: '*' },
] as const satisfies readonly { id: RouteId; path: string }[]

/** One root that holds the page data (a single fetch answers for the whole tree) and a leaf per address. */
export function createRoutes(): RouteObject[] {
  return [
    {
      id: ROOT,
      Component: Root,
      ErrorBoundary: RootError,
      // The data strategy answers; the router only needs to know that there is something to load.
      loader: true,
      shouldRevalidate: () => true,
      children: routeTable.map(({ path }) => ({ id: path, path, Component: Leaf })),
    },
  ]
}
