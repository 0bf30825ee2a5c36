/** What is chosen in the item sheet: how it starts, what it costs, what is still missing. */

import type { FieldError, Flash, Item, Option, OptionGroup } from '../../lib/page-data.ts'

/** Characters of a wish for one line. */
export const NOTE_LENGTH = 140
/** Pieces of one line. */
export const MOST = 99

type Size = NonNullable<Item['sizes']>[number]

export type Chosen = {
  size: number | null
  counts: Readonly<Record<number, number>>
  quantity: number
  note: string
}

/** Radio buttons, or boxes and counts. */
export function isSingle(group: OptionGroup): boolean {
  return group.min === 1 && group.max === 1
}

/** What the guest had typed before a post came back, else what was chosen last time (AT-02). */
export function firstChoice(item: Item, flash: Flash | null): Chosen {
  const values = flash?.values ?? {}
  if (values.product?.[0] === String(item.product.id)) return typedChoice(item, (name) => values[name]?.[0])
  const { line } = item
  return { size: sizeOf(item), counts: item.selected, quantity: line?.qty ?? 1, note: line?.note ?? '' }
}

/** What a form of the sheet says. */
export function typedChoice(item: Item, value: (name: string) => string | null | undefined): Chosen {
  const counts: Record<number, number> = {}
  for (const group of item.groups) {
    const one = Number(value(`group.${group.id}`))
    for (const option of group.options) {
      const count = isSingle(group) ? Number(one === option.id) : Number(value(`option.${option.id}`) ?? 0)
      if (count > 0) counts[option.id] = count
    }
  }
  return {
    size: Number(value('size')) || sizeOf(item),
    counts,
    quantity: Number(value('delta')) || 1,
    note: value('note') ?? '',
  }
}

export function isSameChoice(one: Chosen, other: Chosen): boolean {
  const ids = Object.keys({ ...one.counts, ...other.counts }).map(Number)
  return (
    one.size === other.size &&
    one.quantity === other.quantity &&
    one.note === other.note &&
    ids.every((id) => (one.counts[id] ?? 0) === (other.counts[id] ?? 0))
  )
}

function sizeOf(item: Item): number | null {
  return item.selectedSize ?? item.sizes?.find((one) => !one.out)?.id ?? null
}

/** Pieces that can be had: what has sold out meanwhile counts for nothing. */
export function countOf(group: OptionGroup, { counts }: Chosen): number {
  return group.options.reduce((sum, option) => sum + (option.out ? 0 : (counts[option.id] ?? 0)), 0)
}

/** The sum of the button while the guest chooses; the cart's own comes from the server. */
export function priceOf(item: Item, chosen: Chosen): number {
  const size = item.sizes?.find((one) => one.id === chosen.size)
  const base = size?.price ?? item.product.promo ?? item.product.price
  const options = item.groups.flatMap((group) => group.options)
  const extra = options.reduce(
    (sum, option) => sum + (option.out ? 0 : option.price * (chosen.counts[option.id] ?? 0)),
    0,
  )
  return (base + extra) * chosen.quantity
}

/** The same rules as the server's, told before sending (AT-05). */
export function missing(item: Item, chosen: Chosen): FieldError[] {
  const groups = item.groups.flatMap((group): FieldError[] => {
    const count = countOf(group, chosen)
    const field = `group.${group.id}`
    if (goneIn(group, chosen)) return [{ field, code: 'gone', values: {} }]
    if (count < group.min) return [{ field, code: 'min', values: { count: group.min } }]
    return count > group.max ? [{ field, code: 'max', values: { count: group.max } }] : []
  })
  if (!item.sizes || item.sizes.some(({ id, out }) => id === chosen.size && !out)) return groups
  return [{ field: 'size', code: goneSize(item, chosen) ? 'gone' : 'required', values: {} }, ...groups]
}

/** What has sold out while it was chosen. */
export function goneSize({ sizes }: Item, { size }: Chosen): Size | undefined {
  return sizes?.find((one) => one.out && one.id === size)
}

export function goneIn(group: OptionGroup, { counts }: Chosen): Option | undefined {
  return group.options.find((option) => option.out && (counts[option.id] ?? 0) > 0)
}

/** With one choice more or less; a radio takes the place of the others. */
export function choose(group: OptionGroup, optionId: number, count: number, chosen: Chosen): Chosen {
  const counts = { ...chosen.counts, [optionId]: count }
  if (isSingle(group)) {
    for (const option of group.options) if (option.id !== optionId) counts[option.id] = 0
  }
  return { ...chosen, counts }
}
