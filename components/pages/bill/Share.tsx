import { useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { formatMoney, formatPercent } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BillChoice, BillPage, PayWay } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { type Counted, LEAST_PEOPLE, MOST_PEOPLE, mostPay, OWN_TIP, people, type Typed } from './count.ts'
import { People } from './People.tsx'
import { isBroken, typedSum } from './typed-sum.ts'
import type { Wrong } from './wrong-field.ts'
import '../../ui/chip.css'

/** Digits of a sum. */
const LONGEST = 12

type Props = {
  bill: BillPage
  choice: BillChoice
  sums: Counted
  wrong: Wrong
  /** The field that was wrong when the form came. */
  focus: string | undefined
  typed: Typed
  /** Grows when the numbers of people become others by what other guests do. */
  updates: number
  type: (change: Partial<Typed>) => void
  ask: () => void
}

/**
 * What the guest wants to pay. With scripts each key and each choice counts at once, without them a button does: a
 * payment before that sends what is chosen with the old sums, which the server refuses.
 */
export function Share({ bill, choice, sums, wrong, focus, typed, updates, type, ask }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const { balance } = useShell()
  const { money, tipPercents } = bill
  const { typedOf, typedPay, split, allBonus } = choice
  const sum = (value: number) => formatMoney(value, money)
  const [way, setWay] = useState<PayWay | undefined>(
    bill.ways.find((one) => one === choice.way) ?? bill.ways[0],
  )
  const keys = money.fractionDigits > 0 ? 'decimal' : 'numeric'
  const isOwn = typed.tip === OWN_TIP
  /** What was typed as sums are written, before what else is to be said: long digits are easily misread. */
  const read = (text: string, hint = '') => {
    const hundredths = isBroken(text, money.fractionDigits) ? null : typedSum(text)
    return [hundredths === null ? '' : sum(hundredths), hint].filter(Boolean).join(' · ')
  }
  const counts = split === 'equal' || split === 'sum' || isOwn || allBonus > 0
  const count = (
    <Button quiet name="count" value="1">
      {t('bill.count')}
    </Button>
  )
  // The guest sees their balance above: that less of it counts has a reason.
  const words = { sum: sum(sums.mostBonus), all: sum(allBonus) }
  const isOfPart = sums.mostBonus < allBonus
  // All the dishes are all that there is to take.
  const isOfVenue = balance !== null && balance > allBonus && allBonus < bill.goods
  const mostText = isOfPart
    ? t('bill.bonusMostPart', words)
    : t(isOfVenue ? 'bill.bonusMostVenue' : 'bill.bonusMost', words)
  // How many bonuses there may be follows from a sum that can be paid.
  const isShare = sums.problem === null || sums.problem === 'badTips' || sums.problem === 'badBonus'
  return (
    <>
      {split === 'equal' ? (
        <div className="people">
          <People
            key={`of ${updates}`}
            name="of"
            label={t('bill.people')}
            hint={choice.peoplePaid > 0 ? t('bill.peoplePaid', { count: choice.peoplePaid }) : undefined}
            error={wrong.of}
            value={typedOf}
            now={typed.of}
            // Not fewer than this guest pays for.
            least={Math.max(LEAST_PEOPLE, people(typed.pay) + choice.of - choice.peopleLeft)}
            most={MOST_PEOPLE}
            autoFocus={focus === 'of'}
            onInput={(text) => type({ of: text })}
          />
          <People
            key={`pay ${updates}`}
            name="pay"
            label={t('bill.payFor')}
            error={wrong.pay}
            value={typedPay}
            now={typed.pay}
            least={1}
            most={mostPay(choice, typed)}
            autoFocus={focus === 'pay'}
            onInput={(text) => type({ pay: text })}
          />
        </div>
      ) : null}
      {split === 'sum' ? (
        <Field
          name="sum"
          label={t('bill.ownSum')}
          hint={read(
            sums.problem === 'tooMuch' ? '' : typed.sum,
            t('bill.ownSumHint', { left: sum(bill.left) }),
          )}
          error={wrong.sum}
          autoFocus={focus === 'sum'}
          value={choice.sum}
          keys={keys}
          maxLength={LONGEST}
          onInput={(text) => type({ sum: text })}
        />
      ) : null}
      <fieldset className="tips">
        <legend>{t('bill.tips')}</legend>
        <div className="picks">
          {[...tipPercents.map(String), OWN_TIP].map((one) => (
            <label key={one} className="chip">
              <input
                type="radio"
                name="tip"
                value={one}
                checked={typed.tip === one}
                onChange={({ currentTarget }) => {
                  type({ tip: one })
                  if (one !== OWN_TIP) ask()
                  // Its field appears with it, perhaps below the bar of the button.
                  else currentTarget.form?.tip_sum.scrollIntoView({ block: 'nearest' })
                }}
              />
              {one === OWN_TIP
                ? t('bill.tipOwn')
                : one === '0'
                  ? t('bill.tipNone')
                  : formatPercent(Number(one))}
            </label>
          ))}
        </div>
        {sums.base > 0 && isShare ? (
          <p className="soft">{t('bill.tipsBase', { base: sum(sums.base) })}</p>
        ) : null}
        <Field
          name="tip_sum"
          label={t('bill.tipSum')}
          hint={read(typed.ownTip)}
          error={wrong.tip}
          autoFocus={focus === 'tip'}
          value={choice.ownTip}
          keys={keys}
          maxLength={LONGEST}
          onInput={(text) => type(text && !isOwn ? { ownTip: text, tip: OWN_TIP } : { ownTip: text })}
        />
      </fieldset>
      {allBonus > 0 ? (
        <Field
          name="bonus"
          label={t('bill.bonus')}
          hint={read(typed.bonus, isShare ? mostText : '')}
          error={wrong.bonus}
          autoFocus={focus === 'bonus'}
          value={choice.bonus}
          keys={keys}
          maxLength={LONGEST}
          onInput={(text) => type({ bonus: text })}
        />
      ) : null}
      <fieldset className="ways">
        <legend>{t('bill.method')}</legend>
        <div className="picks">
          {bill.ways.map((one) => (
            <label key={one} className="chip">
              <input
                type="radio"
                name="payment"
                value={one}
                checked={one === way}
                onChange={() => setWay(one)}
              />
              {t(`payment.${one}`)}
            </label>
          ))}
        </div>
      </fieldset>
      {hydrated ? null : counts ? count : <noscript>{count}</noscript>}
    </>
  )
}
