/** The routes of browser and render: every leaf shows the page that the server named; the generated table only tells which
 * code to fetch beside it. */

import type { RouteObject } from 'react-router'
import { ROOT } from './lib/page/root-id.ts'
import { routeTable } from './lib/page-routes.ts'
import { Leaf, Root } from './root.tsx'
import { RootError } from './root-error.tsx'

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
