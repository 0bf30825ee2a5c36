/**
 * What was typed into the forms of a page, kept over a full load of it: in another language the page is another document.
 * What a sheet asks has drafts of its own.
 */

import { dropStored, readStored, writeStored } from './storage.ts'

const KINDS = 'textarea, [type="text"], [type="tel"], [type="radio"], [type="checkbox"]'
/** A form says with `data-typed` that its document holds what the guest has typed, or that nothing of it may be kept. */
const FIELDS = `main form[method="post"]:not([data-typed="never"]) :is(${KINDS})[name]`

type Typed = { path: string; fields: [name: string, value: string][] }

/**
 * Keeps it when the page may go. Firefox loses what is written while a page hides that may not be stored, so what leads
 * away keeps it before; a hidden webview may die without another word.
 */
export function holdTyped(): void {
  addEventListener('pagehide', keepTyped)
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

function keepTyped(): void {
  const fields = fieldsOf().flatMap((field): Typed['fields'] =>
    isOfGuest(field) ? [[keyOf(field), stateOf(field)]] : [],
  )
  if (fields.length > 0) writeStored('typed', { path: location.pathname, fields })
}

/** Once: what is typed from now on counts. */
export function returnTyped(): void {
  const typed = readStored('typed')
  dropStored('typed')
  if (!isTyped(typed) || typed.path !== location.pathname) return
  const kept = new Map(typed.fields)
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

const isTicked = (field: HTMLInputElement | HTMLTextAreaElement) => 'checked' in field && field.checked

/** Ticks share a name. Where their values are words, those of another language are not found. */
function keyOf({ name, type, value }: HTMLInputElement | HTMLTextAreaElement): string {
  return type === 'checkbox' ? `${name} ${value}` : name
}

/** A tick by whether it is there, everything else by its value. */
function stateOf(field: HTMLInputElement | HTMLTextAreaElement): string {
  return field.type === 'checkbox' ? String(isTicked(field)) : field.value
}

function fieldsOf(): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...document.querySelectorAll<HTMLInputElement>(FIELDS)].filter((one) => !one.closest('dialog'))
}

/** What a refused form has brought back is the document's own, and goes with it. */
function isOfGuest(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (!field.closest('[data-typed]')) return isChanged(field)
  return field.type !== 'radio' || isTicked(field)
}

function isChanged(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (!('checked' in field)) return field.value !== field.defaultValue
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  return field.type === 'radio' ? field.checked && !field.defaultChecked : field.value !== field.defaultValue
}

function isTyped(value: unknown): value is Typed {
  return typeof value === 'object' && value !== null && 'path' in value && 'fields' in value
}
