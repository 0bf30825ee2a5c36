import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { formatMoney, formatTime } from '../../lib/format/format.ts'
import { type Mutation, useMutation } from '../../lib/mutations/use-mutation.ts'
import type { BillLine, BillPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'
import { Whose } from './BillLines.tsx'
import { SHARE } from './share-form.ts'
import { coinOf } from './typed-sum.ts'
import '../../ui/button.css'

/** What the guest has chosen and the server has not said yet. */
type Draft = { at: number; counts: Readonly<Record<string, number>> }

type Props = { bill: BillPage; mutation: Mutation }

/**
 * Each chooses their dishes; they are held for a while, and the others see it before they pay. The fields are those of the
 * form that pays: without scripts nothing that is chosen there is lost by the button of the dishes, nor the other way round.
 */
export function Dishes({ bill, mutation }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const givingBack = useMutation({ lane: 'dishes', follow: false, mute: true })
  const [draft, setDraft] = useState<Draft>({ at: 0, counts: {} })
  const isSending = mutation.status === 'sending'
  // What is read while it is on its way does not know it.
  if (isSending && draft.at < bill.readAt) setDraft({ ...draft, at: bill.readAt })
  const isDraft = isSending || (mutation.status !== 'failed' && draft.at >= bill.readAt)
  const countOf = ({ key, mine }: BillLine) => (isDraft ? (draft.counts[key] ?? mine) : mine)
  const { heldUntil, left, readAt, choice } = bill
  // Time alone has taken the choice away, not the guest.
  const [before, setBefore] = useState({ heldUntil, isOver: false })
  if (before.heldUntil !== heldUntil) {
    const isOver = heldUntil === null && before.heldUntil !== null && readAt >= before.heldUntil
    setBefore({ heldUntil, isOver })
  }

  function change(line: BillLine, count: number) {
    const counts = { ...(isDraft ? draft.counts : {}), [line.key]: count }
    setDraft({ at: readAt, counts })
    const { tip, ownTip, bonus, way } = choice ?? {}
    const units = bill.lines.map(({ key, mine }) => [`unit.${key}`, String(counts[key] ?? mine)])
    void mutation.send(actions.holdDishes(bill.href), {
      ...Object.fromEntries(units),
      bill: bill.bill,
      tip: tip === null ? 'own' : String(tip ?? 0),
      tip_sum: ownTip ?? '',
      bonus: bonus ?? '',
      payment: way ?? '',
    })
  }

  // A guest who leaves the page gives the dishes back; without scripts they are free again after a while.
  const giveBack = useEffectEvent(() => {
    if (heldUntil !== null) void givingBack.send(actions.holdDishes(bill.href), { bill: bill.bill })
  })
  useEffect(() => () => giveBack(), [])

  return (
    <div className="dishes" aria-busy={isSending || undefined}>
      {/* While others pay all that is left nothing can be chosen. */}
      <fieldset disabled={left === 0}>
        <legend>{t('bill.choose')}</legend>
        <ul className="lines">
          {bill.lines.map((line) => (
            <li key={line.key}>
              <Dish line={line} bill={bill} count={countOf(line)} onChange={change} />
            </li>
          ))}
        </ul>
      </fieldset>
      {left === 0 ? null : heldUntil === null ? (
        before.isOver ? (
          <p className="note" role="status">
            {t('bill.heldOver')}
          </p>
        ) : null
      ) : (
        <p className="soft">{t('bill.held', { time: formatTime(heldUntil, bill.utcOffset) })}</p>
      )}
      {hydrated || left === 0 ? null : (
        <button
          type="submit"
          className="button"
          data-quiet=""
          form={SHARE}
          formAction={actions.holdDishes(bill.href)}
        >
          {t('bill.take')}
        </button>
      )}
    </div>
  )
}

/** Enter on a dish chooses nothing and must not pay. */
function press(event: KeyboardEvent<HTMLElement>) {
  if (event.key === 'Enter') event.preventDefault()
}

type DishProps = {
  line: BillLine
  bill: BillPage
  count: number
  onChange: (line: BillLine, count: number) => void
}

function Dish({ line, bill, count, onChange }: DishProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const free = line.count - line.others - line.paying - line.paid
  const name = `unit.${line.key}`
  const id = `dish-${line.key}`
  const each = line.sum / line.count
  // What a promo makes of several pieces may be no price of one.
  const hasEach = line.count > 1 && each % coinOf(bill.money.fractionDigits) === 0
  const label = (
    <span>
      <span lang={langOf(line.name)}>{line.name}</span>
      {line.count > 1 ? <span className="num">{`\u00a0× ${line.count}`}</span> : null}
      {hasEach ? (
        <span className="soft">{t('cart.each', { price: formatMoney(each, bill.money) })}</span>
      ) : null}
      <Whose line={{ ...line, mine: 0 }} />
    </span>
  )
  const price = (
    <span className="num">
      <Sum of={line.sum} money={bill.money} />
    </span>
  )
  if (free <= 0) {
    return (
      <>
        {label}
        {price}
      </>
    )
  }
  if (line.count === 1) {
    return (
      <label className="choice">
        <input
          type="checkbox"
          form={SHARE}
          name={name}
          value={1}
          checked={count > 0}
          onChange={(event) => onChange(line, event.currentTarget.checked ? 1 : 0)}
          onKeyDown={press}
        />
        {label}
        {price}
      </label>
    )
  }
  return (
    <div className="choice">
      <select
        id={id}
        form={SHARE}
        name={name}
        value={Math.min(count, free)}
        onChange={(event) => onChange(line, Number(event.currentTarget.value))}
      >
        {Array.from({ length: free + 1 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number
          <option key={index} value={index}>
            {index}
          </option>
        ))}
      </select>
      <label htmlFor={id}>
        {label} <span className="vh">{t('bill.howMany')}</span>
      </label>
      {price}
    </div>
  )
}
