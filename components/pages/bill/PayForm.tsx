import {
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { formatMoney, formatPercent } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { isPoor, watchConnection } from '../../lib/net/connection.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BillChoice, BillPage, FieldError } from '../../lib/page-data.ts'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { errorText } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { actions, withQuery } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'
import { payBar } from './at-lower-edge.ts'
import {
  type Counted,
  counted,
  isCounted,
  isKnown,
  isNoNumber,
  MOST_PEOPLE,
  mostPay,
  people,
  type Typed,
  typedOf,
} from './count.ts'
import { lessText } from './problem.ts'
import { Share } from './Share.tsx'
import { SHARE } from './share-form.ts'
import { isBroken, typedSum } from './typed-sum.ts'
import { useDebounced } from './use-debounced.ts'
import type { Wrong } from './wrong-field.ts'

type Choosing = { bill: BillPage; choice: BillChoice }
/** `waits`: dishes are on their way to the server, the sums are those of before. */
type Props = Choosing & { waits: boolean }

/** Problems that typing on may solve: `0` may become a sum, and nothing a number of people. */
const MAY_BECOME = ['badSum', 'zeroSum', 'badPeople', 'badPay'] as const

/** What is chosen, as it stands in addresses. */
const CHOSEN = ['split', 'of', 'pay', 'sum', 'tip', 'tip_sum', 'bonus', 'payment']

/** What is chosen, its sums, and the button that pays just them: the server takes no other (PY-14, PY-16). */
export function PayForm({ bill, choice, waits }: Props) {
  const t = useText()
  const { flash } = useShell()
  // A payment is not sent again by itself: without a network the guest presses again.
  const mutation = useMutation({ beside: 'all', once: true })
  const poor = useSyncExternalStore(watchConnection, isPoor, () => false)
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(choice)
  const [typed, setTyped] = useState(() => typedOf(choice))
  // Numbers of people that the guest has not touched are those of the others.
  const { typedOf: of, typedPay: pay } = choice
  const [known, setKnown] = useState({ of, pay, updates: 0 })
  if (known.of !== of || known.pay !== pay) {
    const isOwn = typed.of !== known.of || typed.pay !== known.pay
    setKnown({ of, pay, updates: known.updates + (isOwn ? 0 : 1) })
    if (!isOwn) setTyped({ ...typed, of, pay })
  }
  const debounced = useDebounced(typed)
  const sums = counted(bill, choice, typed)
  const { amount, tips, bonuses, due, problem } = sums
  const sum = (value: number) => formatMoney(value, bill.money)
  // The lost network is told only while it is lost.
  const failed = mutation.errors.filter(({ code }) => code !== 'network' || poor)
  const errors = mutation.errors.length > 0 ? failed : (flash?.errors ?? [])
  const wrong = wrongs(t, bill, choice, sums, typed)
  const isWrong = Object.keys(wrong).length > 0
  const [focus] = useState(Object.keys(wrong)[0])
  const isEmpty = problem === 'noDish' || (problem === 'badSum' && !isWrong)
  const isSent = choice.split !== 'equal' || isCounted(choice, typed)
  const isDividing = !isKnown(choice, typed) && !problem
  const isWaiting = waits || isDividing
  // What the page came with is not said once more.
  const [isOther, setOther] = useState(false)
  if (!isOther && (due !== first.due || problem !== first.problem)) setOther(true)
  const news =
    Object.values(wrong).join('. ') || (problem || isDividing ? '' : `${t('sum.total')}: ${sum(due)}`)
  const said = useDebounced(isOther ? news : '')
  // A field that was left is done.
  const [done, setDone] = useState(typed)
  const isDone = debounced === typed || done === typed || !MAY_BECOME.some((one) => one === problem)

  /** The page of what is chosen, with its sums. */
  function count(): void {
    if (!form.current) return
    const chosen = [...new FormData(form.current)].filter(([name]) => CHOSEN.includes(name))
    const query = Object.fromEntries(chosen.map(([name, value]) => [name, String(value) || null]))
    void navigate(withQuery(bill.href, query), { replace: true, preventScrollReset: true })
  }

  // The address keeps how many people there are.
  const divide = useEffectEvent((what: Typed) => {
    if (what === typed && !isSent && !problem) count()
  })
  useEffect(() => divide(debounced), [debounced])

  // A button that is off after its press, since what is typed can't be paid any more, leaves the focus to its field.
  const pressed = useRef(false)
  useEffect(() => {
    if (isWrong && pressed.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    pressed.current = false
  }, [isWrong])

  function leave(): void {
    setDone(typed)
    if (isDividing) count()
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    if (isDividing) {
      // Its sum comes first.
      event.preventDefault()
      count()
      return
    }
    pressed.current = true
    void mutation.submit(event)
  }

  /** Enter ends what is typed, it does not pay. */
  function press(event: KeyboardEvent<HTMLFormElement>): void {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return
    event.preventDefault()
    setDone(typed)
    if (!problem) count()
  }

  return (
    <form
      ref={form}
      id={SHARE}
      className="share"
      method="post"
      action={actions.payBill(bill.href)}
      onSubmit={submit}
      onKeyDown={press}
      onBlur={leave}
    >
      {choice.split === 'dishes' ? <Hidden fields={{ ticks: 1 }} /> : null}
      <Hidden fields={{ bill: bill.bill, split: choice.split, turn: choice.turn }} />
      <Hidden fields={{ left: bill.left, amount, tips, bonuses }} />
      {/* `0,` may become a sum yet. */}
      <Share
        bill={bill}
        choice={choice}
        sums={sums}
        wrong={isDone ? wrong : {}}
        focus={focus}
        typed={typed}
        updates={known.updates}
        type={(change) => setTyped((now) => ({ ...now, ...change }))}
        ask={count}
      />
      {/* Told once the guest has typed, not at each key. */}
      <p className="vh" role="status">
        {said}
      </p>
      {isWaiting && poor ? (
        <p className="error" role="alert">
          {t('bill.notCounted')}
        </p>
      ) : null}
      {problem === 'nothing' ? (
        <p className="soft">{t('bill.say.nothing')}</p>
      ) : problem ? (
        // It keeps its place and says what it waits for.
        <div ref={payBar} className="pay-now">
          {/* The field says it once; screen readers hear with the button why it is off. */}
          <p id="why-not" className={isEmpty ? 'soft' : 'vh'}>
            {isEmpty ? t(`bill.say.${problem}`) : isDone ? Object.values(wrong)[0] : null}
          </p>
          {/* Without scripts what is typed counts by its press. */}
          <Button off={hydrated} describedBy="why-not">
            {t('bill.pay')}
          </Button>
        </div>
      ) : isWaiting && poor ? null : (
        <div className="due">
          {isDividing ? null : <Due bill={bill} choice={choice} typed={typed} sums={sums} />}
          {choice.othersChoose && choice.split !== 'dishes' && amount >= bill.left ? (
            <p className="note">{t('bill.theirs')}</p>
          ) : null}
          <div ref={payBar} className="pay-now">
            {errors.map((error) => (
              <p key={error.code} className="error" role="alert">
                {payText(t, error)}
              </p>
            ))}
            {bill.problem === 'check' && due === choice.due ? (
              <p role="status">{t('bill.problem.check', { sum: sum(due) })}</p>
            ) : null}
            <Button busy={mutation.status === 'sending' || isWaiting}>
              {isDividing ? t('bill.counting') : t('bill.payNow', { sum: sum(due) })}
            </Button>
          </div>
        </div>
      )}
    </form>
  )
}

/** What is wrong, by field, in words. */
function wrongs(
  t: Text,
  bill: BillPage,
  choice: BillChoice,
  { problem, mostBonus }: Counted,
  typed: Typed,
): Wrong {
  const { left, money, problem: refused } = bill
  const sum = (value: number) => formatMoney(value, money)
  const most = mostPay(choice, typed)
  // A sum in coins that the currency does not have is never taken for another one.
  const unread = (text: string) =>
    isBroken(text, money.fractionDigits)
      ? t('bill.wrong.coins')
      : typedSum(text) === null && t('bill.wrong.badSum')
  switch (problem) {
    case 'badPeople':
      return {
        of: t('bill.wrong.badPeople', { most: MOST_PEOPLE }),
        ...(isNoNumber(typed.pay) ? { pay: t('bill.wrong.badPay', { most: MOST_PEOPLE }) } : {}),
      }
    case 'badPay':
      return { pay: most > 1 ? t('bill.wrong.badPay', { most }) : t('bill.wrong.badPayOne') }
    case 'badSum':
      if (typed.sum) return { sum: unread(typed.sum) || t('bill.wrong.badSum') }
      // An empty field is wrong only when it was to be paid.
      return refused ? { sum: t('bill.say.badSum') } : {}
    case 'zeroSum':
      return { sum: t('bill.wrong.zeroSum') }
    case 'tooMuch':
      return {
        sum:
          refused === 'less' && typed.sum === choice.sum
            ? lessText(t, bill)
            : t('bill.wrong.tooMuch', { left: sum(left) }),
      }
    case 'badTips':
      return { tip: unread(typed.ownTip) || t('bill.wrong.badTips') }
    case 'badBonus':
      return { bonus: unread(typed.bonus) || t('bill.wrong.badBonus', { sum: sum(mostBonus) }) }
    default:
      return {}
  }
}

/** A sum: its key, its name, and how much it is. */
type Row = [string, string, number]

/** Every sum of what is paid now on its own line. */
function Due({ bill, choice, typed, sums }: Choosing & { typed: Typed; sums: Counted }) {
  const t = useText()
  const { split } = choice
  const { amount, base, tips, bonuses, due } = sums
  const share =
    split === 'equal'
      ? t(choice.peoplePaid > 0 ? 'bill.shareRest' : 'bill.shareEqual', {
          pay: people(typed.pay),
          left: mostPay(choice, typed),
        })
      : t('bill.share')
  const covered = split === 'dishes' ? choice.covered : 0
  // The percentage is of the dishes, not of what others have left of them.
  const percent = formatPercent(bill.percent)
  const service: Row = [
    'service',
    t('bill.ofService', { percent }),
    bill.percent === 0 ? 0 : covered > 0 ? choice.chosenService : amount - base,
  ]
  const shared: Row = ['share', share, amount]
  // Dishes that are ticked and their part of the sum differ for a reason.
  const chosen: Row[] = [
    ['chosen', t('bill.chosenAll'), amount + covered],
    service,
    ['covered', t('bill.covered'), -covered],
    shared,
  ]
  const rows: Row[] = [
    ...(covered > 0 ? chosen : [shared, service]),
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

/** What was not answered is not sent again by itself. */
function payText(t: Text, error: FieldError): string {
  if (error.code === 'network') return t('bill.noNetwork')
  return error.code === 'unavailable' ? t('bill.noAnswer') : errorText(t, error)
}
