import { type KeyboardEvent, useId, useRef } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useText } from '../../lib/text/text.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { people } from './count.ts'
import '../../parts/dish/stepper.css'
import '../../ui/field.css'

type Props = {
  name: string
  label: string
  hint?: string | undefined
  error: string | undefined
  value: string
  /** As it stands in the field. */
  now: string
  least: number
  most: number
  autoFocus: boolean
  onInput: (text: string) => void
}

/** More digits than any number of people has. */
const LONGEST = 12

/** A number of people: typed, or one fewer or more by the buttons beside it. Without scripts it is the field alone. */
export function People({ name, label, hint, error, value, now, least, most, autoFocus, onInput }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)

  function step(by: number): void {
    if (!field.current) return
    field.current.value = String(Math.min(most, Math.max(least, people(field.current.value) + by)))
    onInput(field.current.value)
  }

  /** The keys of a number field, whose own signs no browser makes large enough to be pressed. */
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    step(by)
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {/* They have their room from the first paint on: nothing moves when the app comes. */}
      <button
        type="button"
        className="minus"
        hidden={!hydrated}
        aria-label={t('bill.fewer', { what: label })}
        aria-disabled={people(now) <= least}
        onClick={() => step(-1)}
      />
      <input
        id={id}
        ref={field}
        name={name}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={LONGEST}
        defaultValue={value}
        // biome-ignore lint/a11y/noAutofocus: the form came back for it
        autoFocus={autoFocus}
        aria-invalid={error ? true : undefined}
        aria-describedby={[hint && `${id}h`, error && `${id}e`].filter(Boolean).join(' ') || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={press}
      />
      <button
        type="button"
        className="plus"
        hidden={!hydrated}
        aria-label={t('bill.more', { what: label })}
        aria-disabled={people(now) >= most}
        onClick={() => step(1)}
      />
      {hint ? (
        <p id={`${id}h`} className="soft">
          {hint}
        </p>
      ) : null}
      <ErrorLine id={`${id}e`}>{error}</ErrorLine>
    </div>
  )
}
