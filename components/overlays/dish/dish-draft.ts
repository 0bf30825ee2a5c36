/**
 * What was begun in an dish sheet and not put into the cart: it outlives the sheet, a reload and the death of a
 * webview, and ends with the session. Where storage is blocked it lives as long as the page.
 */

import { readStored, writeStored } from '../../lib/browser/storage.ts'
import type { DishSheet } from '../../lib/page-data.ts'
import { type Chosen, isSingle, MOST, NOTE_LENGTH } from './dish-choice.ts'

/** Drafts that are kept; the oldest goes first. */
const KEPT = 20

type Entry = [key: string, chosen: Chosen]

let entries: Entry[] | null = null

/** What was begun, as far as it can still be had. */
export function draftOf(venueId: number, dish: DishSheet): Chosen | null {
  const key = keyOf(venueId, dish)
  const found = all().find(([one]) => one === key)
  return found ? fitting(dish, found[1]) : null
}

export function keepDraft(venueId: number, dish: DishSheet, chosen: Chosen): void {
  write([...without(keyOf(venueId, dish)).slice(1 - KEPT), [keyOf(venueId, dish), chosen]])
}

/** It is in the cart now. */
export function dropDraft(venueId: number, dish: DishSheet): void {
  write(without(keyOf(venueId, dish)))
}

function without(key: string): Entry[] {
  return all().filter(([one]) => one !== key)
}

function keyOf(venueId: number, { product, line }: DishSheet): string {
  return [venueId, product.id, line?.id ?? ''].join()
}

function all(): Entry[] {
  if (!entries) {
    const stored = readStored('drafts')
    entries = Array.isArray(stored) ? stored.filter(isEntry) : []
  }
  return entries
}

function write(next: Entry[]): void {
  entries = next
  writeStored('drafts', next)
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
