/** What is chosen in the dish sheet: how it starts, what it costs, what is still missing. */

import type { DishSheet, FieldError, Flash, Option, OptionGroup } from '../../lib/page-data.ts'

/** Characters of a wish for one line. */
export const NOTE_LENGTH = 140
/** Pieces of one line. */
export const MOST = 99

type Size = NonNullable<DishSheet['sizes']>[number]

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
export function firstChoice(dish: DishSheet, flash: Flash | null): Chosen {
  const values = flash?.values ?? {}
  if (cameBack(dish, flash)) return typedChoice(dish, (name) => values[name]?.[0])
  const { line } = dish
  return { size: sizeOf(dish), counts: dish.selected, quantity: line?.qty ?? 1, note: line?.note ?? '' }
}

/** How many options the sheet opens with that the guest has not ticked now. */
export function presetCount(dish: DishSheet, flash: Flash | null): number {
  return dish.line || cameBack(dish, flash) ? 0 : Object.keys(dish.selected).length
}

/** A post of this dish was refused: what was typed is shown again. */
export function cameBack({ product }: DishSheet, flash: Flash | null): boolean {
  return flash?.values.product?.[0] === String(product.id)
}

/** What a form of the sheet says. */
export function typedChoice(dish: DishSheet, value: (name: string) => string | null | undefined): Chosen {
  const counts: Record<number, number> = {}
  for (const group of dish.groups) {
    const one = Number(value(`group.${group.id}`))
    for (const option of group.options) {
      const count = isSingle(group) ? Number(one === option.id) : Number(value(`option.${option.id}`) ?? 0)
      if (count > 0) counts[option.id] = count
    }
  }
  return {
    size: Number(value('size')) || sizeOf(dish),
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

function sizeOf(dish: DishSheet): number | null {
  return dish.selectedSize ?? dish.sizes?.find((one) => !one.out)?.id ?? null
}

/** Pieces that can be had: what has sold out meanwhile counts for nothing. */
export function countOf(group: OptionGroup, { counts }: Chosen): number {
  return group.options.reduce((sum, option) => sum + (option.out ? 0 : (counts[option.id] ?? 0)), 0)
}

/** The sum of the button while the guest chooses; the cart's own comes from the server. */
export function priceOf(dish: DishSheet, chosen: Chosen): number {
  const size = dish.sizes?.find((one) => one.id === chosen.size)
  const base = size?.price ?? dish.product.promo ?? dish.product.price
  const options = dish.groups.flatMap((group) => group.options)
  const extra = options.reduce(
    (sum, option) => sum + (option.out ? 0 : option.price * (chosen.counts[option.id] ?? 0)),
    0,
  )
  return (base + extra) * chosen.quantity
}

/** The same rules as the server's, told before sending (AT-05). */
export function missing(dish: DishSheet, chosen: Chosen): FieldError[] {
  const groups = dish.groups.flatMap((group): FieldError[] => {
    const count = countOf(group, chosen)
    const field = `group.${group.id}`
    if (goneIn(group, chosen)) return [{ field, code: 'gone', values: {} }]
    if (count < group.min) return [{ field, code: 'min', values: { count: group.min } }]
    return count > group.max ? [{ field, code: 'max', values: { count: group.max } }] : []
  })
  if (!dish.sizes || dish.sizes.some(({ id, out }) => id === chosen.size && !out)) return groups
  return [{ field: 'size', code: goneSize(dish, chosen) ? 'gone' : 'required', values: {} }, ...groups]
}

/** What has sold out while it was chosen. */
export function goneSize({ sizes }: DishSheet, { size }: Chosen): Size | undefined {
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
