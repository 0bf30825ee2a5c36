/** Parts of a map, in degrees. */

import type { Bounds } from '../../lib/page-data.ts'

/** As `?bbox=` and the upstream write it, to about a metre like the server does. */
export function bboxOf({ west, south, east, north }: Bounds): string {
  return [west, south, east, north].map((degrees) => String(round(degrees))).join(',')
}

/** The part around the same middle, wider and higher by this factor; never more than the server takes. */
export function widened({ west, south, east, north }: Bounds, times: number): Bounds {
  const wide = Math.min(((east - west) * times) / 2, WIDEST / 2)
  const high = Math.min(((north - south) * times) / 2, WIDEST / 2)
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  return {
    west: Math.max(x - wide, -180),
    south: Math.max(y - high, -POLE),
    east: Math.min(x + wide, 180),
    north: Math.min(y + high, POLE),
  }
}

/** As much of a part as the server takes, around the same middle: a map of few pixels may show half of the world. */
export const searchable = (part: Bounds): Bounds => widened(part, 1)

/** Whether a guest has moved so far from `before` that other venues may be in view. */
export function isElsewhere(before: Bounds, now: Bounds): boolean {
  const [wide, high] = [before.east - before.west, before.north - before.south]
  const moved =
    Math.abs(now.west + now.east - before.west - before.east) / 2 > wide * NOTABLE ||
    Math.abs(now.south + now.north - before.south - before.north) / 2 > high * NOTABLE
  return moved || Math.abs(now.east - now.west - wide) > wide * NOTABLE
}

function round(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}

const NOTABLE = 0.1
/** The server takes 30 degrees; rounding may make some more of them. */
const WIDEST = 29.999
const POLE = 85
