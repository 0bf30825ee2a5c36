/**
 * What was begun in a dish sheet and not put into the cart: for a day it outlives the sheet, a reload and the death of a
 * webview, as forms do (`lib/browser/typed.ts`). On a tablet, and where storage is blocked, it lives as long as the page.
 */

import { isOwn, ownDevice, readStored, writeStored } from '../../lib/browser/storage.ts'
import type { DishSheet } from '../../lib/page-data.ts'
import { type Chosen, isSingle, MOST, NOTE_LENGTH } from './dish-choice.ts'

/** Drafts that are kept; the oldest goes first. */
const MOST_DRAFTS = 20

/** How long, milliseconds. */
const LONGEST = 24 * 60 * 60 * 1000

type Entry = [key: string, chosen: Chosen, at: number]

/** Those of this page. */
let entries: Entry[] = []

/** What was begun, as far as it can still be had. */
export function draftOf(venueId: number, dish: DishSheet): Chosen | null {
  if (!isOwn(ownDevice())) return null
  const key = keyOf(venueId, dish)
  const found = all().find(([one]) => one === key)
  return found ? fitting(dish, found[1]) : null
}

/** `passing`: not longer than the page, on a tablet. */
export function keepDraft(venueId: number, dish: DishSheet, chosen: Chosen, passing = false): void {
  const key = keyOf(venueId, dish)
  entries = [...without(key).slice(1 - MOST_DRAFTS), [key, chosen, Date.now()]]
  if (!passing && isOwn(ownDevice())) writeStored('drafts', entries)
}

/** It is in the cart now. */
export function dropDraft(venueId: number, dish: DishSheet): void {
  const left = without(keyOf(venueId, dish))
  // Nothing was kept where there is nothing to drop.
  if (left.length < all().length && readStored('drafts')) writeStored('drafts', left)
  entries = left
}

function without(key: string): Entry[] {
  return all().filter(([one]) => one !== key)
}

function keyOf(venueId: number, { product, line }: DishSheet): string {
  return [venueId, product.id, line?.id ?? ''].join()
}

/** Another tab may have written since. */
function all(): Entry[] {
  const stored = readStored('drafts')
  return Array.isArray(stored) ? stored.filter(isEntry) : entries
}

/** Stored data can't be trusted: only a choice that the sheet could have made is taken. */
function fitting(dish: DishSheet, { size, counts, quantity, note }: Chosen): Chosen {
  const known = dish.sizes?.find((one) => one.id === size && !one.out)
  const left: Record<number, number> = {}
  for (const group of dish.groups) {
    for (const option of group.options) {
      const count = Math.min(counts[option.id] ?? 0, isSingle(group) ? 1 : option.max)
      if (count > 0 && !option.out) left[option.id] = count
    }
  }
  return {
    size: known?.id ?? dish.selectedSize,
    counts: left,
    quantity: Math.max(1, Math.min(MOST, quantity)),
    note: note.slice(0, NOTE_LENGTH),
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  if (typeof value[2] !== 'number' || Date.now() - value[2] > LONGEST) return false
  const chosen: Partial<Record<keyof Chosen, unknown>> = value[1] ?? {}
  return (
    (chosen.size === null || Number.isInteger(chosen.size)) &&
    Number.isInteger(chosen.quantity) &&
    typeof chosen.note === 'string' &&
    typeof chosen.counts === 'object' &&
    chosen.counts !== null &&
    Object.values(chosen.counts).every((count) => Number.isInteger(count) && Number(count) >= 0)
  )
}
