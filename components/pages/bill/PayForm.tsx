import { type SubmitEvent, useRef, useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BillChoice, BillPage, PayWay } from '../../lib/page-data.ts'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, withQuery } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Share } from './Share.tsx'

type Props = { bill: BillPage; choice: BillChoice }

/** What is chosen, as it stands in addresses. */
const CHOSEN = ['split', 'of', 'pay', 'sum', 'tip', 'tip_sum', 'bonus']

/** What is chosen, its sums, and the button that pays just them: the server takes no other (PY-14, PY-16). */
export function PayForm({ bill, choice }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all' })
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [way, setWay] = useState<PayWay | undefined>(bill.ways[0])
  const { amount, tips, bonuses, due, problem, split } = choice
  const sum = (value: number) => formatMoney(value, bill.money)
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const says = problem === 'noDish' || problem === 'nothing' || (problem === 'badSum' && !choice.sum)

  /** The page of what is chosen, with its sums. */
  function count(): void {
    if (!form.current) return
    const chosen = [...new FormData(form.current)].filter(([name]) => CHOSEN.includes(name))
    const query = Object.fromEntries(chosen.map(([name, value]) => [name, String(value) || null]))
    void navigate(withQuery(bill.href, query), { replace: true, preventScrollReset: true })
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    const pressed = event.submitter
    if (pressed?.getAttribute('name') !== 'count') {
      void mutation.submit(event)
      return
    }
    event.preventDefault()
    count()
  }

  return (
    <form ref={form} className="share" method="post" action={actions.payBill(bill.href)} onSubmit={submit}>
      <Hidden fields={{ bill: bill.bill, split, amount, tips, bonuses, turn: choice.turn }} />
      <Share bill={bill} choice={choice} ask={count} />
      {problem ? (
        says ? (
          <p className="soft">{t(`bill.say.${problem}`)}</p>
        ) : null
      ) : (
        <div className="due">
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
        </div>
      )}
    </form>
  )
}
