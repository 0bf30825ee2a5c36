/** Where the guest is, as told a moment ago. Apart from how it is asked for, which a first visit needs not. */

export type Position = [latitude: number, longitude: number]

let known: Position | undefined

export function keepPosition(position: Position): void {
  known = position
}

/** The position for the request that leads to another page; no later one has it (ZZ-27). */
export function takePosition(): Position | undefined {
  const taken = known
  known = undefined
  return taken
}
