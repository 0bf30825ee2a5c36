import { type FormEvent, useState } from 'react'
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
import { firstChoice, missing, priceOf } from './item-choice.ts'
import { OptionGroup } from './OptionGroup.tsx'

const NOTE_LENGTH = 140
const MOST = 99

type Props = { item: Item; venue: Venue; onDone: () => void }

/** Sizes, additives, a note and how many. The same form posts by itself where no script runs. */
export function ItemForm({ item, venue, onDone }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ follow: false })
  const { line } = item
  const [chosen, setChosen] = useState(() => firstChoice(item, flash))
  const [own, setOwn] = useState<FieldError[]>([])
  const errors = own.length > 0 ? own : mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const general = errors.filter((error) => !isBesideField(error) && error.code !== 'age')
  const otherVenue = general.some((error) => error.code === 'otherVenue')
  // A line that left the cart meanwhile can only be added anew.
  const edited = general.some((error) => error.code === 'lineGone') ? null : line

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const unmet = missing(item, chosen)
    setOwn(unmet)
    if (unmet[0]) {
      // The legend can take focus: it is read out with the error beside it.
      const legend = document.getElementById(unmet[0].field.replace('.', '-'))
      legend?.scrollIntoView({ block: 'center' })
      legend?.focus({ preventScroll: true })
      return
    }
    if (await mutation.submit(event)) onDone()
  }

  return (
    <form
      className="form"
      method="post"
      action={edited ? actions.editLine(edited.id) : actions.addLine()}
      onSubmit={submit}
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
              onChange={() => setChosen({ ...chosen, size: size.id })}
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
          onChange={(next) => {
            setChosen(next)
            setOwn([])
          }}
          error={errorOf(t, errors, `group.${group.id}`)}
          money={venue.money}
        />
      ))}
      <Field
        name="note"
        label={t('item.note')}
        hint={t('item.noteHint')}
        error={errorOf(t, errors, 'note')}
        value={flash?.values.note?.[0] ?? line?.note ?? ''}
        maxLength={NOTE_LENGTH}
      />
      <div className="cta">
        {general.map((error) => (
          <p key={error.code} className="note" data-bad role="alert">
            {errorText(t, error)}
          </p>
        ))}
        <Quantity value={chosen.quantity} onChange={(quantity) => setChosen({ ...chosen, quantity })} />
        <button
          type="submit"
          className="button"
          name={otherVenue ? 'replace' : undefined}
          value={otherVenue ? '1' : undefined}
          aria-busy={mutation.status === 'sending' || undefined}
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
