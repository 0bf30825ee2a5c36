/** Lists of venues: groups by brand, pages without doubles. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VenueCard } from '../../components/lib/page-data.ts'
import { bestPercent, groupByBrand, newOnes, ownName } from '../../components/parts/venue/venue-groups.ts'

const venue = (id: number, brand: string, name = brand): VenueCard => ({
  id,
  name,
  brand,
  address: '',
  distance: null,
  far: false,
  rating: null,
  open: { open: true, always: true, at: null, inDays: 0 },
  services: [],
  promo: false,
  minutes: null,
})

test('HM-08 venues stand under the names of their brands, in the order of the list', () => {
  const list = [venue(1, 'Б'), venue(2, 'А'), venue(3, 'Б'), venue(4, '', 'Одна')]
  assert.deepEqual(
    groupByBrand(list).map(({ brand, venues }) => [brand, venues.map(({ id }) => id)]),
    [
      ['Б', [1, 3]],
      ['А', [2]],
      ['Одна', [4]],
    ],
  )
})

test('a group says the best percent of its venues, and nothing where none is told', () => {
  const promo = (percent?: number): VenueCard => ({
    ...venue(1, 'А'),
    promo: true,
    ...(percent === undefined ? {} : { percent }),
  })
  assert.equal(bestPercent([promo(-8), promo(-16), promo(), venue(2, 'А')]), -16)
  assert.equal(bestPercent([promo(), venue(2, 'А')]), undefined)
})

test('HM-05 what is added holds nothing that is there, and nothing twice', () => {
  const known = [venue(1, 'А'), venue(2, 'А')]
  const more = [venue(2, 'А'), venue(3, 'А'), venue(3, 'А'), venue(4, 'А')]
  assert.deepEqual(
    newOnes(known, more).map(({ id }) => id),
    [3, 4],
  )
})

test('a venue under its brand is told by what its name adds', () => {
  for (const [name, own] of [
    ['Лағман үйі Самал', 'Самал'],
    ['Лағман үйі: Достық', 'Достық'],
    ['Лағман үйі', ''],
    ['Самал Лағман үйі', 'Самал Лағман үйі'],
  ] as const) {
    assert.equal(ownName(venue(1, 'Лағман үйі', name), 'Лағман үйі'), own)
  }
})
