/** What moves from one page to the next, as the pages say. */

import type { Motion } from '../lib/motion/motion.ts'
import type { Shown } from '../lib/router/navigation.ts'
import { rest } from './rest.gen.ts'

export function motionOf(from: Shown, to: Shown): Motion | null {
  if (from.location === to.location) return null
  const left = rest[from.data.page.route]
  if (from.location.pathname === to.location.pathname) return left?.motion?.(from, to) ?? null
  const { enters = {} } = rest[to.data.page.route] ?? {}
  for (const [name, place] of Object.entries(left?.leaves ?? {})) {
    const entered = enters[name]
    if (entered === undefined) continue
    const after = () => document.querySelector<HTMLElement>(entered)
    return {
      name,
      before: () => document.querySelector<HTMLElement>(place),
      after,
      isThere: () => after() !== null,
    }
  }
  return null
}
