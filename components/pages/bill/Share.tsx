import { type FormEvent, useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import type { BillChoice, BillPage } from '../../lib/page-data.ts'
import { Form } from '../../lib/router/Form.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import '../../ui/chip.css'

/** Digits of a sum. */
const LONGEST = 12
const MOST_PEOPLE = 50

type Props = { bill: BillPage; choice: BillChoice }

/**
 * What the guest wants to pay, as a form that asks the server for its sums: the next page shows them, without scripts, too.
 * With scripts it asks by itself after each choice.
 */
export function Share({ bill, choice }: Props) {
  const t = useText()
  const { money, tipPercents } = bill
  const { split, of, pay, problem, base, mostBonus } = choice
  const [tip, setTip] = useState(choice.tip === null ? 'own' : String(choice.tip))
  const sum = (value: number) => formatMoney(value, money)
  const [path = '', query = ''] = bill.href.split('?')
  const ask = (event: FormEvent<HTMLElement>) => {
    const { form } = event.target as HTMLInputElement
    form?.requestSubmit?.()
  }
  const own = tip === 'own'
  const wrongSum =
    problem === 'badSum'
      ? t('bill.wrong.badSum')
      : problem === 'tooMuch'
        ? t('bill.wrong.tooMuch', { left: sum(bill.left) })
        : undefined
  return (
    <Form className="share" action={path} replace preventScrollReset>
      <Hidden fields={{ ...Object.fromEntries(new URLSearchParams(query)), split }} />
      {split === 'equal' ? (
        <div className="people">
          <Count name="of" label={t('bill.people')} least={2} value={of} onChange={ask} />
          <Count name="pay" label={t('bill.payFor')} least={1} value={pay} onChange={ask} />
        </div>
      ) : null}
      {split === 'sum' ? (
        <Field
          name="sum"
          label={t('bill.ownSum')}
          hint={t('bill.ownSumHint', { left: sum(bill.left) })}
          error={choice.sum ? wrongSum : undefined}
          value={choice.sum}
          keys="numeric"
          maxLength={LONGEST}
        />
      ) : null}
      <fieldset className="tips">
        <legend>{t('bill.tips')}</legend>
        <p className="soft">{t('bill.tipsBase', { base: sum(base) })}</p>
        <div>
          {[...tipPercents.map(String), 'own'].map((one) => (
            <label key={one} className="chip">
              <input
                type="radio"
                name="tip"
                value={one}
                checked={tip === one}
                onChange={(event) => {
                  setTip(one)
                  if (one !== 'own') ask(event)
                }}
              />
              {one === 'own' ? t('bill.tipOwn') : one === '0' ? t('bill.tipNone') : `${one}\u00a0%`}
            </label>
          ))}
        </div>
        <Field
          name="tip_sum"
          label={t('bill.tipSum')}
          error={problem === 'badTips' ? t('bill.wrong.badTips') : undefined}
          value={choice.ownTip}
          keys="numeric"
          maxLength={LONGEST}
          onInput={(text) => {
            if (text && !own) setTip('own')
          }}
        />
      </fieldset>
      {mostBonus > 0 ? (
        <Field
          name="bonus"
          label={t('bill.bonus')}
          hint={t('bill.bonusMost', { sum: sum(mostBonus) })}
          error={problem === 'badBonus' ? t('bill.wrong.badBonus', { sum: sum(mostBonus) }) : undefined}
          value={choice.bonus}
          keys="numeric"
          maxLength={LONGEST}
        />
      ) : null}
      <Button quiet>{t('bill.count')}</Button>
    </Form>
  )
}

type CountProps = {
  name: string
  label: string
  least: number
  value: number
  onChange: (event: FormEvent<HTMLElement>) => void
}

/** How many people. */
function Count({ name, label, least, value, onChange }: CountProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        key={value}
        type="number"
        name={name}
        min={least}
        max={MOST_PEOPLE}
        defaultValue={value}
        inputMode="numeric"
        required
        onBlur={(event) => {
          if (event.currentTarget.value !== String(value) && event.currentTarget.checkValidity())
            onChange(event)
        }}
      />
    </label>
  )
}
