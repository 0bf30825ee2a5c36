import { type ChangeEvent, useEffect, useEffectEvent, useState } from 'react'
import { formatTime } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { BillLine, BillPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'
import { Whose } from './BillLines.tsx'

/** What the guest has chosen and the server has not said yet. */
type Draft = { at: number; counts: Readonly<Record<string, number>> }

/** Each chooses their dishes; they are held for a while, and the others see it before they pay. */
export function Dishes({ bill }: { bill: BillPage }) {
  const t = useText()
  const mutation = useMutation({ lane: 'dishes' })
  const givingBack = useMutation({ lane: 'dishes', follow: false, mute: true })
  const [draft, setDraft] = useState<Draft>({ at: 0, counts: {} })
  const isSending = mutation.status === 'sending'
  const isDraft = isSending || draft.at >= bill.readAt
  const countOf = ({ key, mine }: BillLine) => (isDraft ? (draft.counts[key] ?? mine) : mine)

  function change(line: BillLine, count: number, event: ChangeEvent<HTMLElement>) {
    setDraft({ at: bill.readAt, counts: { ...(isDraft ? draft.counts : {}), [line.key]: count } })
    const { form } = event.target as HTMLInputElement
    // The field has its new value once React has drawn it.
    setTimeout(() => form?.requestSubmit?.())
  }

  // Whoever goes on to something else leaves the dishes to the others; without scripts they are free again after a while.
  const giveBack = useEffectEvent(() => {
    if (bill.heldUntil !== null) void givingBack.send(actions.holdDishes(bill.href), { bill: bill.bill })
  })
  useEffect(() => () => giveBack(), [])

  const { tip, ownTip, bonus, way } = bill.choice ?? {}
  return (
    <form
      className="dishes"
      method="post"
      action={actions.holdDishes(bill.href)}
      onSubmit={mutation.submit}
      aria-busy={isSending || undefined}
    >
      <Hidden
        fields={{
          bill: bill.bill,
          tip: tip === null ? 'own' : String(tip ?? 0),
          tip_sum: ownTip ?? '',
          bonus: bonus ?? '',
          payment: way ?? '',
        }}
      />
      <fieldset>
        <legend>{t('bill.choose')}</legend>
        <ul className="lines">
          {bill.lines.map((line) => (
            <li key={line.key}>
              <Dish line={line} bill={bill} count={countOf(line)} onChange={change} />
            </li>
          ))}
        </ul>
      </fieldset>
      {bill.heldUntil === null ? null : (
        <p className="soft">{t('bill.held', { time: formatTime(bill.heldUntil, bill.utcOffset) })}</p>
      )}
      <Button quiet busy={isSending}>
        {t('bill.take')}
      </Button>
    </form>
  )
}

type DishProps = {
  line: BillLine
  bill: BillPage
  count: number
  onChange: (line: BillLine, count: number, event: ChangeEvent<HTMLElement>) => void
}

function Dish({ line, bill, count, onChange }: DishProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const free = line.count - line.others - line.paying - line.paid
  const name = `unit.${line.key}`
  const id = `dish-${line.key}`
  const label = (
    <span>
      <span lang={langOf(line.name)}>{line.name}</span>{' '}
      {line.count > 1 ? <span className="num">× {line.count}</span> : null}
      <Whose line={{ ...line, mine: 0 }} />
    </span>
  )
  const price = (
    <span className="num">
      <Sum of={line.price} money={bill.money} />
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
          name={name}
          value={1}
          checked={count > 0}
          onChange={(event) => onChange(line, event.currentTarget.checked ? 1 : 0, event)}
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
        name={name}
        value={Math.min(count, free)}
        onChange={(event) => onChange(line, Number(event.currentTarget.value), event)}
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
