import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { formatMoney, formatPercent } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BillChoice, BillPage } from '../../lib/page-data.ts'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { errorText } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { actions, withQuery } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'
import { type Counted, counted, typedOf } from './count.ts'
import { useRested } from './rested.ts'
import { Share, type Wrong } from './Share.tsx'

type Props = { bill: BillPage; choice: BillChoice }

/** What is chosen, as it stands in addresses. */
const CHOSEN = ['split', 'of', 'pay', 'sum', 'tip', 'tip_sum', 'bonus', 'payment']

/** What is chosen, its sums, and the button that pays just them: the server takes no other (PY-14, PY-16). */
export function PayForm({ bill, choice }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all' })
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(choice)
  const [typed, setTyped] = useState(() => typedOf(choice))
  const rested = useRested(typed)
  const sums = counted(bill, choice, typed)
  const { amount, tips, bonuses, due, problem } = sums
  const sum = (value: number) => formatMoney(value, bill.money)
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const wrong = wrongs(t, bill, sums, typed.sum)
  const isEmpty = problem === 'noDish' || problem === 'nothing' || (problem === 'badSum' && !typed.sum)
  // What the page came with is not said once more.
  const [isOther, setOther] = useState(false)
  if (!isOther && (due !== first.due || problem !== first.problem)) setOther(true)
  const news = Object.values(wrong)[0] ?? (problem ? '' : `${t('sum.total')}: ${sum(due)}`)
  const said = useRested(isOther ? news : '')
  const isDone = rested === typed || (problem !== 'badSum' && problem !== 'zeroSum')

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

  /** Enter ends what is typed, it does not pay. */
  function press(event: KeyboardEvent<HTMLFormElement>): void {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLInputElement) || target.type !== 'text') return
    event.preventDefault()
    count()
  }

  return (
    <form
      ref={form}
      className="share"
      method="post"
      action={actions.payBill(bill.href)}
      onSubmit={submit}
      onKeyDown={press}
    >
      <Hidden fields={{ bill: bill.bill, split: choice.split, amount, tips, bonuses, turn: choice.turn }} />
      {/* `0,` may become a sum yet. */}
      <Share
        bill={bill}
        choice={choice}
        sums={sums}
        wrong={isDone ? wrong : {}}
        typed={typed}
        type={(change) => setTyped((now) => ({ ...now, ...change }))}
        ask={count}
      />
      {/* Told once the guest has typed, not at each key. */}
      <p className="vh" role="status">
        {said}
      </p>
      {problem ? (
        isEmpty ? (
          <p className="soft">{t(`bill.say.${problem}`)}</p>
        ) : null
      ) : (
        <div className="due">
          <Due bill={bill} choice={choice} sums={sums} />
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

/** What is wrong, by field, in words. */
function wrongs(
  t: Text,
  { left, money }: BillPage,
  { problem, mostBonus }: Counted,
  typedSum: string,
): Wrong {
  const sum = (value: number) => formatMoney(value, money)
  switch (problem) {
    case 'badSum':
      return typedSum ? { sum: t('bill.wrong.badSum') } : {}
    case 'zeroSum':
      return { sum: t('bill.wrong.zeroSum') }
    case 'tooMuch':
      return { sum: t('bill.wrong.tooMuch', { left: sum(left) }) }
    case 'badTips':
      return { tip: t('bill.wrong.badTips') }
    case 'badBonus':
      return { bonus: t('bill.wrong.badBonus', { sum: sum(mostBonus) }) }
    default:
      return {}
  }
}

/** Every sum of what is paid now on its own line. */
function Due({ bill, choice, sums }: Props & { sums: Counted }) {
  const t = useText()
  const { split, pay, peopleLeft } = choice
  const { amount, base, tips, bonuses, due } = sums
  const service = bill.percent > 0 ? amount - base : 0
  const share = split === 'equal' ? t('bill.shareEqual', { pay, left: peopleLeft }) : t('bill.share')
  const rows: [string, string, number][] = [
    ['share', share, amount],
    ['service', t('bill.ofService', { percent: formatPercent(bill.percent) }), service],
    ['tips', t('bill.tips'), tips],
    ['bonus', t('sum.bonus'), -bonuses],
  ]
  return (
    <dl className="sums">
      {rows.map(([key, name, value]) =>
        value === 0 && key !== 'share' ? null : (
          <div key={key} data-sum={key}>
            <dt>{name}</dt>
            <dd className="num">
              <Sum of={value} money={bill.money} />
            </dd>
          </div>
        ),
      )}
      {/* The button says it as well: alone it would be the same sum three times. */}
      <div data-sum="left" className={due === amount ? 'vh' : undefined}>
        <dt>{t('sum.total')}</dt>
        <dd className="num">
          <Sum of={due} money={bill.money} />
        </dd>
      </div>
    </dl>
  )
}
