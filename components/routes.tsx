/** The routes of browser and render. The server says which page an address shows, so one leaf is all of them. */

import type { RouteObject } from 'react-router'
import { Leaf, Root } from './root.tsx'

export const routes: RouteObject[] = [{ Component: Root, children: [{ path: '*', Component: Leaf }] }]
