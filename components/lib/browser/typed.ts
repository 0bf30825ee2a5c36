/**
 * What was typed into the forms of a page, kept over a full load of it: in another language the page is another document.
 * Inside the app it is kept with the entry of the history, as browsers do it for documents: a swipe too far loses nothing.
 * What a sheet asks has drafts of its own.
 *
 * A form with `data-keep` is an order: what is typed there is kept until it is placed, wherever its guest goes meanwhile, to
 * an address, to the menu, or out of a webview that dies.
 */

import { keyOf as entryOf } from '../router/entries.ts'
import type { Navigation } from '../router/navigation.ts'
import { dropStored, readStored, writeStored } from './storage.ts'

const KINDS = 'textarea, [type="text"], [type="tel"], [type="radio"], [type="checkbox"]'
/** A form says with `data-typed` that its document holds what the guest has typed, or that nothing of it may be kept. */
const FIELDS = `main form[method="post"]:not([data-typed="never"]) :is(${KINDS})[name]`

type Field = HTMLInputElement | HTMLTextAreaElement
type Typed = { path: string; fields: [name: string, value: string][] }

/** How long what was typed is kept, milliseconds. */
const KEPT = 24 * 60 * 60 * 1000

/** `of` is the venue, `at` when it was typed last. */
type Order = Pick<Typed, 'fields'> & { of: string; at: number }

/**
 * Keeps it when the page may go. Firefox loses what is written while a page hides that may not be stored, so what leads
 * away keeps it before; a hidden webview may die without another word.
 */
export function holdTyped(): void {
  addEventListener('pagehide', () => {
    keepTyped()
    dropPlaced()
  })
  for (const leaving of ['submit', 'click']) {
    addEventListener(leaving, (event) => {
      const isLeft =
        event.type === 'submit' || (event.target instanceof Element && event.target.closest('a[href]'))
      if (isLeft && !event.defaultPrevented) keepTyped()
    })
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) keepTyped()
    // The page lives on with its fields, which may be sent.
    else dropStored('typed')
  })
}

/** Keeps it for who comes back by the history, until the document goes. On a tablet the next guest is another. */
export function holdTypedOfEntries(navigation: Navigation): void {
  const entries = new Map<string, Typed['fields']>()
  const sent = new WeakSet<HTMLFormElement>()
  addEventListener('submit', ({ target }) => target instanceof HTMLFormElement && sent.add(target))
  addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      if (target.form) sent.delete(target.form)
  })
  // What went well is the server's by now.
  const isDone = ({ form }: Field) =>
    form !== null && sent.has(form) && !form.querySelector('[aria-invalid], [role="alert"]')
  let entry = entryOf(navigation.now().location)
  addEventListener('input', () => {
    if (!navigation.now().data.shell.kiosk) keepOrder()
  })
  returnOrder()
  navigation.onDeparture((from) => {
    dropPlaced()
    if (navigation.now().data.shell.kiosk) return
    entries.set(entryOf(from), typedIn(fieldsOf().filter((field) => !isDone(field))))
  })
  navigation.subscribe(() => {
    const { location, action } = navigation.now()
    const shown = entryOf(location)
    if (shown === entry) return
    entry = shown
    const typed = entries.get(shown)
    if (action === 'POP' && typed?.length) fillOnceDrawn(typed, () => shown === entry)
    else if (isRecent(readStored('order'))) whenDrawn(() => shown === entry, returnOrder)
  })
}

function fillOnceDrawn(typed: Typed['fields'], isHere: () => boolean): void {
  whenDrawn(isHere, () => {
    const isDrawn = fieldsOf().some((field) => typed.some(([key]) => key === keyOf(field)))
    if (isDrawn) fill(typed)
    return isDrawn
  })
}

/** The page may be drawn some frames after it is told: tries until it has gone well, or the guest has left. */
function whenDrawn(isHere: () => boolean, attempt: () => boolean, frames = 60): void {
  requestAnimationFrame(() => {
    if (isHere() && !attempt() && frames > 0) whenDrawn(isHere, attempt, frames - 1)
  })
}

const orderForm = () => document.querySelector<HTMLFormElement>('main form[data-keep]')

function keepOrder(): void {
  const form = orderForm()
  const of = form?.dataset.keep
  if (!of) return
  const fields = typedIn(fieldsOf().filter((field) => field.form === form))
  if (fields.length > 0) writeStored('order', { of, at: Date.now(), fields })
  else dropStored('order')
}

/** Whether there is a form to put it back into. Another venue's order is another one. */
function returnOrder(): boolean {
  const form = orderForm()
  if (!form) return false
  const order = readStored('order')
  if (isRecent(order) && order.of === form.dataset.keep) fill(order.fields)
  return true
}

/** An order whose page leaves while it is sent has been placed. */
function dropPlaced(): void {
  if (orderForm()?.matches('[data-sent]')) dropStored('order')
}

const isRecent = (order: unknown): order is Order =>
  typeof order === 'object' &&
  order !== null &&
  'fields' in order &&
  'at' in order &&
  Date.now() - Number(order.at) < KEPT

function keepTyped(): void {
  const fields = typedIn(fieldsOf())
  if (fields.length > 0) writeStored('typed', { path: location.pathname, fields })
}

const typedIn = (fields: Field[]): Typed['fields'] =>
  fields.filter(isOfGuest).map((field) => [keyOf(field), stateOf(field)])

/** Puts back what was typed, once: what is typed from now on counts. */
export function returnTyped(): void {
  const typed = readStored('typed')
  dropStored('typed')
  if (isTyped(typed) && typed.path === location.pathname) fill(typed.fields)
}

function fill(fields: Typed['fields']): void {
  const kept = new Map(fields)
  for (const field of fieldsOf()) {
    const value = kept.get(keyOf(field))
    if (value === undefined || isChanged(field)) continue
    if (field.type !== 'radio' && field.type !== 'checkbox') {
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
      continue
    }
    // What a refused form has brought back stands already: a click would take it away.
    const stands =
      field.type === 'radio' ? field.value !== value || isTicked(field) : stateOf(field) === value
    if (!stands) field.click()
  }
}

const isTicked = (field: Field) => 'checked' in field && field.checked

/** Ticks share a name. Where their values are words, those of another language are not found. */
function keyOf({ name, type, value }: Field): string {
  return type === 'checkbox' ? `${name} ${value}` : name
}

/** A tick by whether it is there, everything else by its value. */
function stateOf(field: Field): string {
  return field.type === 'checkbox' ? String(isTicked(field)) : field.value
}

function fieldsOf(): Field[] {
  return [...document.querySelectorAll<HTMLInputElement>(FIELDS)].filter((one) => !one.closest('dialog'))
}

/** What a refused form has brought back is the document's own, and goes with it. */
function isOfGuest(field: Field): boolean {
  if (!field.closest('[data-typed]')) return isChanged(field)
  return field.type !== 'radio' || isTicked(field)
}

function isChanged(field: Field): boolean {
  if (!('checked' in field)) return field.value !== field.defaultValue
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  return field.type === 'radio' ? field.checked && !field.defaultChecked : field.value !== field.defaultValue
}

function isTyped(value: unknown): value is Typed {
  return typeof value === 'object' && value !== null && 'path' in value && 'fields' in value
}
