import { type FormEvent, useId } from 'react'
import { useText } from '../../lib/text/text.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { maskDate } from './date-mask.ts'

type Props = {
  value: string
  error: string | undefined
  /** The first field that is wrong. */
  wrong: boolean
}

/** The day of birth, typed or pasted: the slashes come by themselves. Without scripts the server reads it as it is. */
export function Birthday({ value, error, wrong }: Props) {
  const t = useText()
  const id = useId()

  function type({ currentTarget: field, nativeEvent }: FormEvent<HTMLInputElement>): void {
    const isTakenAway = nativeEvent instanceof InputEvent && nativeEvent.inputType.startsWith('delete')
    // Who takes a slash away means it; who mends the middle is not moved to the end.
    if (isTakenAway || field.selectionStart !== field.value.length) return
    field.value = maskDate(field.value)
  }

  return (
    <div className="field">
      <label htmlFor={id}>{t('profileForm.birthday')}</label>
      <span id={`${id}h`} className="soft">
        {t('profileForm.birthdayHint')}
      </span>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        name="birthday"
        autoComplete="bday"
        // Room for what is pasted with other marks.
        maxLength={30}
        defaultValue={value}
        // biome-ignore lint/a11y/noAutofocus: the form was refused for it
        autoFocus={wrong}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}h ${id}e` : `${id}h`}
        onInput={type}
        onBlur={({ currentTarget: field }) => {
          field.value = maskDate(field.value)
        }}
      />
      <ErrorLine id={`${id}e`}>{error}</ErrorLine>
    </div>
  )
}
