/**
 * The routes of the browser and of the render. The server has the last word: every leaf shows the page of the page
 * data, the generated table only tells which code to fetch ahead.
 */

import type { RouteObject } from 'react-router'
import { routeTable } from './lib/page-routes.ts'
import { Leaf, Root } from './root.tsx'
import { RootError } from './root-error.tsx'

export const ROOT = 'root'

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
