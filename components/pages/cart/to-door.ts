import type { CartPage } from '../../lib/page-data.ts'

/** From how many minutes to how many it takes to the door, where it is known how long each way to bring it takes. */
export function toDoor({ minutes, delivery }: CartPage): [number, number] | null {
  const ways = delivery?.tariffs.map((tariff) => tariff.minutes ?? 0) ?? []
  const soonest = Math.min(...ways)
  if (!minutes || ways.length === 0 || soonest === 0) return null
  return [minutes.min + soonest, minutes.max + Math.max(...ways)]
}
