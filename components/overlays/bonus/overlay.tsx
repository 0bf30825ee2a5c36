import { useEffect, useRef, useState } from 'react'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartBonus, MoneyFormat } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith, Button } from '../../ui/Button.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { hundredthsOf, numberText, typedNumber } from './numeric.ts'
import '../../ui/field.css'
import './bonus.css'

/** How long the slider rests before the server is asked, milliseconds. */
const SETTLED = 500

type Props = {
  bonus: CartBonus
  money: MoneyFormat
  /** The form that comes along, as with a line of the cart. */
  form: string | undefined
}

/** How many bonuses pay a part of the goods (CT-08). */
export function Overlay({ bonus, money, form }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useCartMutation({ beside: ['bonus'] })
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const error = errorOf(t, errors, 'bonus')
  const on = bonus.used > 0
  const along = alongWith(form, actions.setBonus())
  return (
    <>
      <p className="soft">
        {t('bonus.balance', { sum: formatMoney(bonus.balance, money) })}
        {' · '}
        {t('bonus.max', { percent: bonus.percent, sum: formatMoney(bonus.max, money) })}
      </p>
      <form method="post" action={actions.setBonus()} onSubmit={mutation.submit}>
        <Hidden fields={{ back: paths.cart() }} />
        <button
          type="submit"
          role="switch"
          aria-checked={on}
          name={on ? 'use' : 'bonus'}
          value={on ? '0' : numberText(bonus.max)}
          className="toggle"
          {...along}
        >
          {t('bonus.use')}
        </button>
      </form>
      {on ? <Amount bonus={bonus} error={error} money={money} form={form} /> : null}
      {/* What was lowered before is old news beside what is wrong now. */}
      {bonus.lowered && !error ? (
        <p className="note">{t('bonus.lowered', { sum: formatMoney(bonus.used, money) })}</p>
      ) : null}
    </>
  )
}

/** The same sum by a slider and by digits. What it shows counts when the guest goes on, at the latest with the order. */
function Amount({ bonus, money, form, error }: Props & { error: string | undefined }) {
  const t = useText()
  const mutation = useCartMutation({ beside: ['bonus'] })
  const [text, setText] = useState(numberText(bonus.used))
  const [seen, setSeen] = useState<number | null>(bonus.used)
  /** What the server was asked for, until the page says so. */
  const [asked, setAsked] = useState<number | null>(null)
  if (seen !== bonus.used) {
    setSeen(bonus.used)
    setAsked(null)
    setText(numberText(bonus.used))
  }
  const sum = Math.min(hundredthsOf(text), bonus.max)
  const wrong = errorOf(t, mutation.errors, 'bonus') ?? error
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const step = money.fractionDigits === 0 ? 100 : 1

  async function apply(): Promise<void> {
    clearTimeout(timer.current)
    setText(numberText(sum))
    if (sum === (asked ?? bonus.used)) return
    setAsked(sum)
    const done = await mutation.send(actions.setBonus(), { bonus: numberText(sum), back: paths.cart() })
    // What is used stands there again: else each order would ask for it once more.
    if (!done) setSeen(null)
  }

  function slide(hundredths: number): void {
    setText(numberText(hundredths))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void latest.current(), SETTLED)
  }

  const latest = useRef(apply)
  useEffect(() => {
    latest.current = apply
  })
  // The order is a form of its own. Some browsers leave the focus where it is when a button is pressed, so that this is
  // not told by losing it: before an order is sent goes what it is about.
  useEffect(() => {
    const order = ({ target }: Event) => {
      if (target instanceof HTMLFormElement && target.getAttribute('action') === actions.placeOrder())
        void latest.current()
    }
    document.addEventListener('submit', order, true)
    return () => {
      document.removeEventListener('submit', order, true)
      clearTimeout(timer.current)
    }
  }, [])

  return (
    <form
      method="post"
      action={actions.setBonus()}
      className="amount"
      onBlur={() => void apply()}
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <Hidden fields={{ back: paths.cart() }} />
      <input
        type="range"
        min={0}
        max={bonus.max}
        step={step}
        value={sum}
        aria-label={t('bonus.label')}
        aria-valuetext={formatMoney(sum, money)}
        onChange={(event) => slide(Number(event.target.value))}
      />
      <div className="field">
        <label htmlFor="bonus-sum">{t('bonus.label')}</label>
        <input
          id="bonus-sum"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          name="bonus"
          form={form}
          maxLength={14}
          value={text}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? 'bonus-error' : undefined}
          onChange={(event) => setText(typedNumber(event.target.value))}
        />
        <ErrorLine id="bonus-error">{wrong}</ErrorLine>
      </div>
      <Button quiet busy={mutation.status === 'sending'} along={alongWith(form, actions.setBonus())}>
        {t('bonus.apply')}
      </Button>
    </form>
  )
}
