/** What is chosen in the item sheet: how it starts, what it costs, what is still missing. */

import type { FieldError, Flash, Item, OptionGroup } from '../lib/page-data.ts'

export type Chosen = { size: number | null; counts: Readonly<Record<number, number>>; quantity: number }

/** Radio buttons, or boxes and counts. */
export function isSingle(group: OptionGroup): boolean {
  return group.min === 1 && group.max === 1
}

/** What the guest had typed before a post came back, else what was chosen last time (AT-02). */
export function firstChoice(item: Item, flash: Flash | null): Chosen {
  const typed = flash?.values.product?.[0] === String(item.product.id) ? flash.values : null
  const size = item.selectedSize ?? item.sizes?.find((one) => !one.out)?.id ?? null
  if (!typed) return { size, counts: item.selected, quantity: item.line?.qty ?? 1 }
  const counts: Record<number, number> = {}
  for (const group of item.groups) {
    for (const option of group.options) {
      const count = isSingle(group)
        ? Number(typed[`group.${group.id}`]?.[0] === String(option.id))
        : Number(typed[`option.${option.id}`]?.[0] ?? 0)
      if (count > 0) counts[option.id] = count
    }
  }
  return { size: Number(typed.size?.[0]) || size, counts, quantity: Number(typed.delta?.[0]) || 1 }
}

export function countOf(group: OptionGroup, { counts }: Chosen): number {
  return group.options.reduce((sum, option) => sum + (counts[option.id] ?? 0), 0)
}

/** The sum of the button while the guest chooses; the cart's own comes from the server. */
export function priceOf(item: Item, chosen: Chosen): number {
  const size = item.sizes?.find((one) => one.id === chosen.size)
  const base = size?.price ?? item.product.promo ?? item.product.price
  const options = item.groups.flatMap((group) => group.options)
  const extra = options.reduce((sum, option) => sum + option.price * (chosen.counts[option.id] ?? 0), 0)
  return (base + extra) * chosen.quantity
}

/** The same rules as the server's, told before sending (AT-05). */
export function missing(item: Item, chosen: Chosen): FieldError[] {
  return item.groups.flatMap((group) => {
    const count = countOf(group, chosen)
    const field = `group.${group.id}`
    if (count < group.min) return [{ field, code: 'min', values: { count: group.min } }]
    return count > group.max ? [{ field, code: 'max', values: { count: group.max } }] : []
  })
}

/** With one choice more or less; a radio takes the place of the others. */
export function choose(group: OptionGroup, optionId: number, count: number, chosen: Chosen): Chosen {
  const counts = { ...chosen.counts, [optionId]: count }
  if (isSingle(group)) {
    for (const option of group.options) if (option.id !== optionId) counts[option.id] = 0
  }
  return { ...chosen, counts }
}
