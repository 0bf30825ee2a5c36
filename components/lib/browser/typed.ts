/**
 * What was typed into the forms of a page, kept over a full load of it: in another language the page is another document.
 * Inside the app it is kept with the entry of the history, as browsers do it for documents: a swipe too far loses nothing.
 * What a sheet asks has drafts of its own.
 *
 * What is typed into a form with `data-keep`, an order or a booking, is kept under that name until it is sent, wherever its
 * guest goes meanwhile, to an address, to the menu, or out of a webview that dies.
 */

import { keyOf as entryOf } from '../router/entries.ts'
import type { Navigation } from '../router/navigation.ts'
import { dropStored, isOwn, ownDevice, readStored, writeStored } from './storage.ts'

const KINDS = 'textarea, [type="text"], [type="tel"], [type="radio"], [type="checkbox"]'
/** A form says with `data-typed` that its document holds what the guest has typed, or that nothing of it may be kept. */
const FIELDS = `main form[method="post"]:not([data-typed="never"]) :is(${KINDS})[name]`

type Field = HTMLInputElement | HTMLTextAreaElement
/** `by` is the device of the guest who has typed it; an anonymous visitor has none. */
type Typed = { path: string; fields: [name: string, value: string][]; by?: string | undefined }

/** How long what was typed is kept, milliseconds. */
const MAX_AGE = 24 * 60 * 60 * 1000

/** Answers take a while: only what is older than the server's own by more than this is older, milliseconds. */
const APART = 10_000

/** How many forms are kept; the oldest goes first. */
const MOST = 5

/** `of` names the form and what it is about, `at` when it was typed last. */
type Draft = Pick<Typed, 'fields'> & { of: string; at: number }

/**
 * Keeps it when the page may go. Firefox loses what is written while a page hides that may not be stored, so what leads
 * away keeps it before; a hidden webview may die without another word.
 */
export function holdTyped(): void {
  ownDevice()
  addEventListener('pagehide', () => {
    keepTyped()
    dropSent()
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
  addEventListener('submit', ({ target, defaultPrevented }) => {
    if (!(target instanceof HTMLFormElement)) return
    sent.add(target)
    // The browser itself posts it, and leaves the page.
    if (!defaultPrevented) dropDraft(target)
  })
  addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      if (target.form) sent.delete(target.form)
  })
  // What went well is the server's by now.
  const isDone = ({ form }: Field) =>
    form !== null && sent.has(form) && !form.querySelector('[aria-invalid], [role="alert"]')
  let entry = entryOf(navigation.now().location)
  addEventListener('input', () => {
    if (!navigation.now().data.shell.kiosk) keepDraft()
  })
  returnDraft()
  navigation.onDeparture((from) => {
    dropSent()
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
    else if (drafts().length > 0) whenDrawn(() => shown === entry, returnDraft)
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

const draftForm = () => document.querySelector<HTMLFormElement>('main form[data-keep]')

function keepDraft(): void {
  const form = draftForm()
  const of = form?.dataset.keep
  if (!of || !isOwn(ownDevice())) return
  const fields = typedIn(fieldsOf().filter((field) => field.form === form))
  writeDrafts([...without(of), ...(fields.length > 0 ? [{ of, at: Date.now(), fields }] : [])])
}

function drafts(): Draft[] {
  const stored = readStored('forms')
  return Array.isArray(stored) ? stored.filter(isRecent) : []
}

const without = (of: string) => drafts().filter((draft) => draft.of !== of)

function writeDrafts(list: Draft[]): void {
  if (list.length > 0) writeStored('forms', list.slice(-MOST))
  else dropStored('forms')
}

/**
 * Whether there is a form to put it back into. An order of another venue is another one, and what the server was sent since,
 * by a page whose scripts did not run, was typed last.
 */
function returnDraft(): boolean {
  const form = draftForm()
  if (!form) return false
  const { keep, age } = form.dataset
  const draft = drafts().find(({ of }) => of === keep)
  const isLast = (at: number) => !age || Date.now() - at < Number(age) + APART
  if (draft && isLast(draft.at) && isOwn(ownDevice())) fill(draft.fields)
  return true
}

/** A form whose page leaves while it is sent is the server's: an order has been placed. */
function dropSent(): void {
  const form = draftForm()
  if (form?.matches('[data-sent]')) dropDraft(form)
}

function dropDraft({ dataset }: HTMLFormElement): void {
  if (dataset.keep) writeDrafts(without(dataset.keep))
}

const isRecent = (draft: unknown): draft is Draft =>
  typeof draft === 'object' &&
  draft !== null &&
  'fields' in draft &&
  'at' in draft &&
  Date.now() - Number(draft.at) < MAX_AGE

function keepTyped(): void {
  const fields = typedIn(fieldsOf())
  if (fields.length > 0)
    writeStored('typed', { path: location.pathname, fields, by: ownDevice() } satisfies Typed)
}

const typedIn = (fields: Field[]): Typed['fields'] =>
  fields.filter(isOfGuest).map((field) => [keyOf(field), stateOf(field)])

/** Puts back what was typed, once: what is typed from now on counts. */
export function returnTyped(): void {
  const typed = readStored('typed')
  dropStored('typed')
  if (isTyped(typed) && typed.path === location.pathname && isOwn(typed.by)) fill(typed.fields)
}

function fill(fields: Typed['fields']): void {
  const values = new Map(fields)
  for (const field of fieldsOf()) {
    const value = values.get(keyOf(field))
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
