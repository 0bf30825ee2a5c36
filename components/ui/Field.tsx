import { type FormEvent, useId } from 'react'
import { ErrorLine } from './ErrorLine.tsx'
import './field.css'

type Props = {
  name: string
  /** Where an address names it. */
  id?: string | undefined
  label: string
  hint?: string
  error?: string | undefined
  value?: string
  maxLength: number
  autoComplete?: string
  /** Which keys a phone shows. */
  type?: 'text' | 'tel'
  /** The same, where letters are seldom needed. */
  keys?: 'numeric' | 'decimal'
  /** What says more about it elsewhere, by its id. */
  describedBy?: string | undefined
  /** Several lines. */
  long?: boolean
  /** The browser takes the focus here when the page comes: the first field that is wrong. */
  autoFocus?: boolean
  /** The form that it belongs to, where that is not the one around it. */
  form?: string | undefined
  /** Hears what is typed; the text itself is the browser's. */
  onInput?: (text: string) => void
}

/** A text field with its label, hint and error. */
export function Field({
  name,
  id: named,
  label,
  hint,
  error,
  value,
  maxLength,
  autoComplete,
  type,
  keys,
  describedBy,
  long,
  autoFocus,
  form,
  onInput,
}: Props) {
  const own = useId()
  const id = named ?? own
  const described = [hint ? `${id}h` : '', error ? `${id}e` : '', describedBy].filter(Boolean).join(' ')
  const common = {
    id,
    name,
    maxLength,
    defaultValue: value,
    inputMode: keys,
    autoFocus,
    form,
    onInput:
      onInput &&
      ((event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => onInput(event.currentTarget.value)),
    autoComplete: autoComplete ?? 'off',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <span id={`${id}h`} className="soft">
          {hint}
        </span>
      ) : null}
      {long ? <textarea rows={2} {...common} /> : <input type={type ?? 'text'} {...common} />}
      <ErrorLine id={`${id}e`}>{error}</ErrorLine>
    </div>
  )
}
