import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { useMutation } from '../lib/cart.tsx'
import { formatMoney } from '../lib/format.ts'
import type { FieldError, Item, Venue } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions, paths } from '../paths.ts'
import { Choice } from '../ui/Choice.tsx'
import { Field } from '../ui/Field.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { errorOf, errorText, isBesideField } from './errors.ts'
import {
  type Chosen,
  firstChoice,
  isSameChoice,
  MOST,
  missing,
  NOTE_LENGTH,
  priceOf,
  typedChoice,
} from './item-choice.ts'
import { draftOf, dropDraft, keepDraft } from './item-draft.ts'
import { OptionGroup } from './OptionGroup.tsx'

type Props = {
  item: Item
  venue: Venue
  /** It sold out while it was open. */
  out: boolean
  /** Asks for the dish anew. */
  retry: () => void
  onDone: () => void
}

/** Sizes, additives, a note and how many. The same form posts by itself where no script runs. */
export function ItemForm({ item, venue, out, retry, onDone }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ follow: false })
  const { line } = item
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState(() => firstChoice(item, flash))
  const [own, setOwn] = useState<FieldError[]>([])
  const begun = useRef(false)
  const errors = own.length > 0 ? own : mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const general = errors.filter(
    (error) => !isBesideField(error) && error.code !== 'age' && !(out && error.code === 'gone'),
  )
  const otherVenue = general.some((error) => error.code === 'otherVenue')
  // A line that left the cart meanwhile can only be added anew.
  const edited = general.some((error) => error.code === 'lineGone') ? null : line

  // What was chosen before the scripts came stands in the form alone, what was begun earlier in the storage. Later
  // answers about the dish must not undo what the guest is choosing.
  useLayoutEffect(() => {
    if (begun.current || !form.current) return
    begun.current = true
    const data = new FormData(form.current)
    const typed = typedChoice(item, (name) => data.get(name)?.toString())
    const cameBack = flash?.values.product?.[0] === String(item.product.id)
    const draft = cameBack ? null : draftOf(venue.id, item)
    if (!isSameChoice(typed, firstChoice(item, flash))) setChosen(typed)
    else if (draft) setChosen(draft)
  }, [item, flash, venue.id])

  function choose(next: Chosen): void {
    setChosen(next)
    setOwn([])
    keepDraft(venue.id, item, next)
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (out) return
    const unmet = missing(item, chosen)
    setOwn(unmet)
    if (unmet[0]) {
      // The legend can take focus: it is read out with the error beside it.
      const legend = document.getElementById(unmet[0].field.replace('.', '-'))
      legend?.scrollIntoView({ block: 'center' })
      legend?.focus({ preventScroll: true })
      return
    }
    if (await mutation.submit(event)) {
      dropDraft(venue.id, item)
      onDone()
      return
    }
    // Something of it can't be had any more: the sheet shows what.
    retry()
  }

  return (
    <form
      className="form"
      method="post"
      action={edited ? actions.editLine(edited.id) : actions.addLine()}
      onSubmit={submit}
      ref={form}
    >
      <Hidden
        fields={{
          filial: venue.id,
          product: item.product.id,
          back: paths.menu(venue.id, { item: item.product.id, ...(line ? { line: line.id } : null) }),
        }}
      />
      {item.sizes ? (
        <fieldset className="group">
          <legend>
            <b>{t('item.sizes')}</b>
          </legend>
          {item.sizes.map((size) => (
            <Choice
              key={size.id}
              type="radio"
              name="size"
              value={size.id}
              checked={size.id === chosen.size}
              disabled={size.out}
              onChange={() => choose({ ...chosen, size: size.id })}
            >
              <span>{size.name}</span>
              <span className="num">{size.out ? t('menu.out') : formatMoney(size.price, venue.money)}</span>
            </Choice>
          ))}
        </fieldset>
      ) : null}
      {item.groups.map((group) => (
        <OptionGroup
          key={group.id}
          group={group}
          chosen={chosen}
          onChange={choose}
          error={errorOf(t, errors, `group.${group.id}`)}
          money={venue.money}
        />
      ))}
      <Field
        name="note"
        label={t('item.note')}
        hint={t('item.noteHint')}
        error={errorOf(t, errors, 'note')}
        value={chosen.note}
        maxLength={NOTE_LENGTH}
        onInput={(note) => choose({ ...chosen, note })}
      />
      <div className="cta">
        {out ? (
          <p id="item-out" className="note" data-bad role="alert">
            {t('item.soldOut')}
          </p>
        ) : null}
        {general.map((error) => (
          <p key={error.code} className="note" data-bad role="alert">
            {errorText(t, error)}
          </p>
        ))}
        <Quantity value={chosen.quantity} onChange={(quantity) => choose({ ...chosen, quantity })} />
        <button
          type="submit"
          className="button"
          name={otherVenue ? 'replace' : undefined}
          value={otherVenue ? '1' : undefined}
          aria-busy={mutation.status === 'sending' || undefined}
          aria-disabled={out || undefined}
          aria-describedby={out ? 'item-out' : undefined}
        >
          {t(otherVenue ? 'item.replace' : edited ? 'item.save' : 'item.add')}
          <span className="num">{formatMoney(priceOf(item, chosen), venue.money)}</span>
        </button>
      </div>
    </form>
  )
}

type QuantityProps = { value: number; onChange: (value: number) => void }

function Quantity({ value, onChange }: QuantityProps) {
  const t = useText()
  return (
    <span className="step">
      <button
        type="button"
        className="minus"
        aria-label={t('item.less')}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      />
      <input
        type="text"
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={2}
        name="delta"
        value={value}
        aria-label={t('item.quantity')}
        onChange={(event) => onChange(Math.min(MOST, Number(event.target.value.replace(/\D/g, '')) || 1))}
      />
      <button
        type="button"
        className="plus"
        aria-label={t('item.more')}
        disabled={value >= MOST}
        onClick={() => onChange(value + 1)}
      />
    </span>
  )
}
