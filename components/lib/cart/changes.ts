/** What a change on its way will do to the quantities, before the server has said so. Sums are never guessed. */

import { actions } from '../../paths.ts'
import type { CartView } from '../page-data.ts'

export type Change =
  | { kind: 'product'; venueId: number; productId: number; delta: number }
  | { kind: 'configured'; venueId: number; delta: number }
  | { kind: 'line'; lineId: string; delta: number }
  | { kind: 'lineQuantity'; lineId: string; quantity: number }
  | { kind: 'clear' }
  | { kind: 'none' }

const MOST = 99

/** Reads the change from the form that makes it; the same for a tap, a replayed early tap and a test. */
export function changeOf(action: string, body: URLSearchParams): Change {
  if (action === actions.clearCart()) return { kind: 'clear' }
  const delta = numberField(body, 'delta') ?? 1
  if (action === actions.addLine()) {
    const venueId = numberField(body, 'filial')
    const productId = numberField(body, 'product')
    if (venueId === null || productId === null) return { kind: 'none' }
    return isPlain(body)
      ? { kind: 'product', venueId, productId, delta }
      : { kind: 'configured', venueId, delta }
  }
  const [, lineId] = action.split(actions.changeLine(''))
  // Another choice for a line says nothing of quantities: `…/options`.
  if (!lineId || lineId.includes('/')) return { kind: 'none' }
  const quantity = numberField(body, 'qty')
  return quantity === null
    ? { kind: 'line', lineId: decodeURIComponent(lineId), delta }
    : { kind: 'lineQuantity', lineId: decodeURIComponent(lineId), quantity }
}

function isPlain(body: URLSearchParams): boolean {
  for (const [name, value] of body) {
    if (value !== '' && (name === 'size' || name === 'note' || /^(option|group)\./.test(name))) return false
  }
  return true
}

function numberField(body: URLSearchParams, name: string): number | null {
  const text = body.get(name)
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

export type ShownLine = { lineId: string | null; productId: number | null; plain: boolean; quantity: number }

/** The lines with the changes on their way applied in order. */
export function shownLines(cart: CartView | null, changes: readonly Change[]): ShownLine[] {
  let lines: ShownLine[] = (cart?.lines ?? []).map((line) => ({
    lineId: line.id,
    productId: line.productId,
    plain: line.plain,
    quantity: line.qty,
  }))
  for (const change of changes) lines = applyChange(lines, change, cart)
  return lines
}

function applyChange(lines: ShownLine[], change: Change, cart: CartView | null): ShownLine[] {
  switch (change.kind) {
    case 'none':
      return lines
    case 'clear':
      return []
    case 'configured':
      // It may join a line that only the server can tell, so it counts beside them.
      if (isForeign(change.venueId, cart)) return lines
      return [...lines, { lineId: null, productId: null, plain: false, quantity: change.delta }]
    case 'product': {
      // A cart of another venue is not touched until the guest agrees to drop it.
      if (isForeign(change.venueId, cart)) return lines
      const { productId } = change
      const known = lines.some((line) => line.plain && line.productId === productId)
      const all = known ? lines : [...lines, { lineId: null, productId, plain: true, quantity: 0 }]
      return all.map((line) =>
        line.plain && line.productId === productId ? raise(line, change.delta) : line,
      )
    }
    case 'line':
      return lines.map((line) => (line.lineId === change.lineId ? raise(line, change.delta) : line))
    case 'lineQuantity':
      return lines.map((line) =>
        line.lineId === change.lineId ? { ...line, quantity: clamp(change.quantity) } : line,
      )
  }
}

function isForeign(venueId: number, cart: CartView | null): boolean {
  return cart !== null && cart.lines.length > 0 && cart.venueId !== venueId
}

function raise(line: ShownLine, delta: number): ShownLine {
  return { ...line, quantity: clamp(line.quantity + delta) }
}

function clamp(quantity: number): number {
  return Math.max(0, Math.min(MOST, quantity))
}
