/** Words for what a form came back with. The types ask for a text of every code that the server knows. */

import type { FieldError, Flash } from '../page-data.ts'
import type { Values } from './message.ts'
import type { Messages } from './messages.gen.ts'
import type { Text } from './text.tsx'

export function errorText(t: Text, error: FieldError): string {
  const key: keyof Messages = `errors.${error.code}`
  const text = t.maybe(key, error.values) ?? t('flash.failed')
  // The group's own limit is another one.
  return error.code === 'max' && error.values.name ? `${error.values.name}: ${text}` : text
}

/** The error of one field, or undefined. */
export function errorOf(t: Text, errors: readonly FieldError[], field: string): string | undefined {
  const error = errors.find((one) => one.field === field)
  return error && errorText(t, error)
}

/** It stands beside its own field; what concerns the whole form is told on top of the page or by its button. */
export function isBesideField(error: FieldError): boolean {
  return error.field !== 'form'
}

/** Told by their own pages, or by the errors that they bring. */
type Elsewhere =
  | 'accountDeleted'
  | 'bookingCancelled'
  | 'bookingChosen'
  | 'bookingSent'
  | 'bookingTwice'
  | 'bookingUnknown'
  | 'bookingUnreached'
  | 'cartReturned'
  | 'cashChosen'
  | 'formErrors'
  | 'order'
  | 'orderCancelled'
  | 'orderGraded'
  | 'orderTooLate'
  | 'photoRemoved'
  | 'photoSaved'

/** The text of a notice, where every page can show it. */
export function noticeText(t: Text, { kind }: Flash, values: Values): string | undefined {
  const key: `flash.${Elsewhere}` | keyof Messages = `flash.${kind}`
  return t.maybe(key, values)
}
