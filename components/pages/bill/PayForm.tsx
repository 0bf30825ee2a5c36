import { useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BillChoice, BillPage, PayWay } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = { bill: BillPage; choice: BillChoice }

/** The sums of now, and the button that pays just them: the server takes no other (PY-14, PY-16). */
export function PayForm({ bill, choice }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all' })
  const [way, setWay] = useState<PayWay | undefined>(bill.ways[0])
  const { amount, tips, bonuses, due, problem, split } = choice
  const sum = (value: number) => formatMoney(value, bill.money)
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  if (problem) {
    const says = problem === 'noDish' || problem === 'nothing' || (problem === 'badSum' && !choice.sum)
    return says ? <p className="soft">{t(`bill.say.${problem}`)}</p> : null
  }
  return (
    <form className="due" method="post" action={actions.payBill(bill.href)} onSubmit={mutation.submit}>
      <Hidden
        fields={{
          bill: bill.bill,
          split,
          of: choice.of,
          pay: choice.pay,
          sum: choice.sum,
          tip: choice.tip ?? 'own',
          tip_sum: choice.ownTip,
          bonus: choice.bonus,
          amount,
          tips,
          bonuses,
          turn: choice.turn,
        }}
      />
      <dl className="sums">
        <div>
          <dt>
            {split === 'equal'
              ? t('bill.shareEqual', { pay: choice.pay, left: choice.peopleLeft })
              : t('bill.share')}
          </dt>
          <dd className="num">{sum(amount)}</dd>
        </div>
        <div>
          <dt>{t('bill.tips')}</dt>
          <dd className="num">{sum(tips)}</dd>
        </div>
        {bonuses > 0 ? (
          <div>
            <dt>{t('sum.bonus')}</dt>
            <dd className="num">{sum(-bonuses)}</dd>
          </div>
        ) : null}
        <div data-sum="left">
          <dt>{t('sum.total')}</dt>
          <dd className="num" aria-live="polite">
            {sum(due)}
          </dd>
        </div>
      </dl>
      <fieldset>
        <legend>{t('bill.method')}</legend>
        {bill.ways.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="payment"
            value={one}
            checked={one === way}
            onChange={() => setWay(one)}
          >
            <span>{t(`payment.${one}`)}</span>
          </Choice>
        ))}
      </fieldset>
      {errors.map((error) => (
        <p key={error.code} className="error" role="alert">
          {errorText(t, error)}
        </p>
      ))}
      <Button busy={mutation.status === 'sending'}>{t('bill.payNow', { sum: sum(due) })}</Button>
    </form>
  )
}
