import type { MouseEvent } from 'react'
import { TABLE_LANE, useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './keypad.css'

type Props = { venueId: number }

const NUMBER_LENGTH = 10
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0']

/** Asks on a tablet for the table, with keys of its own: a browser that fills the screen may have no other keyboard. */
export function Overlay({ venueId }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ lane: TABLE_LANE, beside: ['table'] })
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  return (
    <section className="card" id="block-table" tabIndex={-1} aria-labelledby="keypad">
      <h2 id="keypad">{t('keypad.title')}</h2>
      <form className="keypad" method="post" action={actions.typeTable()} onSubmit={mutation.submit}>
        <Hidden fields={{ filial: venueId, back: paths.cart() }} />
        <Field
          name="table"
          label={t('table.number')}
          hint={t('keypad.hint')}
          error={errorOf(t, errors, 'table')}
          value={flash?.values.table?.[0] ?? ''}
          maxLength={NUMBER_LENGTH}
        />
        <div className="keys">
          {DIGITS.map((digit) => (
            <button key={digit} type="button" className="button" data-quiet="" onClick={press}>
              {digit}
            </button>
          ))}
          <button
            type="button"
            className="button"
            data-quiet=""
            aria-label={t('keypad.erase')}
            onClick={press}
          >
            ⌫
          </button>
        </div>
        <Button busy={mutation.status === 'sending'}>{t('table.set')}</Button>
      </form>
    </section>
  )
}

/** What is typed is the field's own, as with any other keyboard. */
function press({ currentTarget: key }: MouseEvent<HTMLButtonElement>): void {
  const field = key.form?.elements.namedItem('table')
  if (!(field instanceof HTMLInputElement)) return
  const digit = key.textContent ?? ''
  const typed = /\d/.test(digit) ? field.value + digit : field.value.slice(0, -1)
  field.value = typed.slice(0, NUMBER_LENGTH)
}
