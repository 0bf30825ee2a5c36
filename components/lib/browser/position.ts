/** Where the guest is, once they have agreed to tell it. Kept while the page is open and nowhere else. */

export type Position = [latitude: number, longitude: number]

let known: Position | undefined

export function notePosition({ latitude, longitude }: GeolocationCoordinates): Position {
  known = [latitude, longitude]
  return known
}

export function knownPosition(): Position | undefined {
  return known
}
