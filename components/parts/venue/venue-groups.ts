/** Venues of a list under the names of their brands (HM-08). */

import type { TownRef, VenueCard } from '../../lib/page-data.ts'

export type BrandGroup = { brand: string; venues: VenueCard[] }

/** Brands in the order in which they first come, venues of a brand in the list's own order. */
export function groupByBrand(venues: readonly VenueCard[]): BrandGroup[] {
  const groups = new Map<string, VenueCard[]>()
  for (const venue of venues) {
    const brand = venue.brand || venue.name
    const group = groups.get(brand)
    if (group) group.push(venue)
    else groups.set(brand, [venue])
  }
  return [...groups].map(([brand, members]) => ({ brand, venues: members }))
}

/** The most that a dish of any of these venues is cheaper by, as a negative percent. */
export function bestPercent(venues: readonly VenueCard[]): number | undefined {
  const least = Math.min(0, ...venues.map(({ percent = 0 }) => percent))
  return least < 0 ? least : undefined
}

/** What of `more` is not in `known` yet: the order may shift between two pages (HM-05). */
export function newOnes(known: readonly VenueCard[], more: readonly VenueCard[]): VenueCard[] {
  const ids = new Set(known.map((venue) => venue.id))
  return more.filter((venue) => !ids.has(venue.id) && ids.add(venue.id))
}

/** The name of a venue without that of its brand, which stands above it. Empty when it is the brand's name alone. */
export function ownName(venue: VenueCard, brand: string): string {
  const rest = venue.name.startsWith(brand) ? venue.name.slice(brand.length) : venue.name
  return rest.replace(/^[\s,:·–—-]+/, '')
}

/** Where something was found: a town has no name while those of the country have not come. */
export const ofTown = ({ name }: TownRef, found: string): string => (name ? `${name}: ${found}` : found)
