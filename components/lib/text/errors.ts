/** Words for what a form came back with. */

import type { FieldError } from '../page-data.ts'
import type { Text } from './text.tsx'

export function errorText(t: Text, error: FieldError): string {
  return t.maybe(`errors.${error.code}`, error.values) ?? t('flash.failed')
}

/** The error of one field, or undefined. */
export function errorOf(t: Text, errors: readonly FieldError[], field: string): string | undefined {
  const error = errors.find((one) => one.field === field)
  return error && errorText(t, error)
}

/** These stand beside their own fields; everything else is told on top of the page. */
const BESIDE_FIELDS =
  /^(name|phone|time|date|guests|comment|payment|note|size|code|bonus|table|group\..+|option\..+)$/

export function isBesideField(error: FieldError): boolean {
  return BESIDE_FIELDS.test(error.field)
}
