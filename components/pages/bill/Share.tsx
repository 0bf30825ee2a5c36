import { useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import type { BillChoice, BillPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import '../../ui/chip.css'

/** Digits of a sum. */
const LONGEST = 12
const MOST_PEOPLE = 50

type Props = { bill: BillPage; choice: BillChoice; ask: () => void }

/**
 * What the guest wants to pay. The server counts it: the button shows the sums, and with scripts each choice does. Whoever
 * pays before that sends what is chosen with the sums of before, and the server refuses to take those.
 */
export function Share({ bill, choice, ask }: Props) {
  const t = useText()
  const { money, tipPercents } = bill
  const { of, pay, problem, base, mostBonus, split } = choice
  const [tip, setTip] = useState(choice.tip === null ? 'own' : String(choice.tip))
  const sum = (value: number) => formatMoney(value, money)
  const own = tip === 'own'
  const wrongSum =
    problem === 'badSum'
      ? t('bill.wrong.badSum')
      : problem === 'tooMuch'
        ? t('bill.wrong.tooMuch', { left: sum(bill.left) })
        : undefined
  return (
    <>
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
                onChange={() => {
                  setTip(one)
                  if (one !== 'own') ask()
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
      <Button quiet name="count">
        {t('bill.count')}
      </Button>
    </>
  )
}

type CountProps = {
  name: string
  label: string
  least: number
  value: number
  onChange: () => void
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
          if (event.currentTarget.value !== String(value) && event.currentTarget.checkValidity()) onChange()
        }}
      />
    </label>
  )
}
