import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { useShell } from '../../lib/page/shell.ts'
import type { DishSheet, FieldError, MoneyFormat, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf, errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, CROSS, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'
import {
  type Chosen,
  cameBack,
  firstChoice,
  goneSize,
  isSameChoice,
  MOST,
  missing,
  NOTE_LENGTH,
  presetCount,
  priceOf,
  typedChoice,
} from './dish-choice.ts'
import { draftOf, dropDraft, keepDraft } from './dish-draft.ts'
import { OptionGroup } from './OptionGroup.tsx'
import { Preset } from './Preset.tsx'
import '../../parts/dish/stepper.css'

type Props = {
  dish: DishSheet
  venue: Venue
  /** The part of the menu that it stands in, for an address. */
  part: string
  /** It sold out while it was open. */
  out: boolean
  /** It stands in a fridge: no kitchen reads a wish. */
  fridge: boolean | undefined
  /** Asks for the dish anew. */
  retry: () => void
}

/** Sizes, additives, a note and how many. The same form posts by itself where no script runs. */
export function DishForm({ dish, venue, part, out, fridge, retry }: Props) {
  const t = useText()
  const { flash, kiosk } = useShell()
  const mutation = useCartMutation({ follow: false, beside: 'all' })
  const { line } = dish
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState(() => firstChoice(dish, flash))
  const [preset, setPreset] = useState(() => presetCount(dish, flash))
  const [typed, setTyped] = useState<string | null>(null)
  const [own, setOwn] = useState<FieldError[]>([])
  // Fields that were changed since they were refused.
  const [mended, setMended] = useState<readonly string[]>([])
  const begun = useRef(false)
  const entered = useRef(false)
  const reported = mutation.status === 'idle' ? (flash?.errors ?? []) : mutation.errors
  const errors = own.length > 0 ? own : reported.filter((error) => !mended.includes(error.field))
  const general = errors.filter(
    (error) => !isShown(dish, error) && error.code !== 'age' && !(out && error.code === 'gone'),
  )
  const otherVenue = general.some((error) => error.code === 'otherVenue')
  const busy = mutation.status === 'sending'
  // A line that left the cart meanwhile can only be added anew.
  const edited = general.some((error) => error.code === 'lineGone') ? null : line

  // What was chosen before the scripts came stands in the form alone, what was begun earlier in the storage. Later
  // answers about the dish must not undo what the guest is choosing.
  useLayoutEffect(() => {
    if (begun.current || !form.current) return
    begun.current = true
    const data = new FormData(form.current)
    const typed = typedChoice(dish, (name) => data.get(name)?.toString())
    const draft = cameBack(dish, flash) ? null : draftOf(venue.id, dish)
    if (!isSameChoice(typed, firstChoice(dish, flash))) setChosen(typed)
    else if (draft) {
      setChosen(draft)
      setPreset(0)
    }
  }, [dish, flash, venue.id])

  // By keyboard a sheet begins at what has to be chosen, else at its button. A finger and a reader begin at its top, and so
  // does who has gone on meanwhile, or has come to its address: a focus that no key has led counts as a keyboard's. The
  // dialog gives the focus to its first link before.
  useEffect(() => {
    if (entered.current) return
    entered.current = true
    if (!navigator.userActivation?.hasBeenActive) return
    if (!document.activeElement?.matches('.close:focus-visible')) return
    const [unmet] = missing(dish, chosen)
    const first = unmet ? `#${unmet.field.replace('.', '-')} ~ * input` : '.cta > .button'
    form.current?.querySelector<HTMLElement>(first)?.focus()
  }, [dish, chosen])

  // The server's refusal of a choice is found like our own.
  useEffect(() => focusError(mutation.errors), [mutation.errors])

  function choose(field: string | string[], next: Chosen): void {
    setChosen(next)
    setOwn([])
    setMended((fields) => fields.concat(field))
    keepDraft(venue.id, dish, next, kiosk !== undefined)
  }

  /** The button goes with its line: the focus stays where the guest chooses anew. */
  function clear(): void {
    const groups = dish.groups.map(({ id }) => `group.${id}`)
    choose(groups, { ...chosen, counts: {} })
    setPreset(0)
    document.getElementById(`group-${dish.groups[0]?.id}`)?.focus({ preventScroll: true })
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    // What is closed meanwhile, or opened again, is not closed once more.
    const sheet = event.currentTarget.closest('dialog')
    const unmet = missing(dish, chosen)
    setOwn(unmet)
    if (unmet[0]) {
      focusError(unmet)
      return
    }
    // What is sent is read from the form: an emptied number is whole again before.
    flushSync(() => setTyped(null))
    setMended([])
    if (await mutation.submit(event)) {
      dropDraft(venue.id, dish)
      sheet?.close()
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
          product: dish.product.id,
          back:
            paths.menu(venue.id, {
              item: dish.product.id,
              ...(line ? { line: line.id } : null),
              ...(part === `#${CROSS}` ? { from: 'cart' } : null),
            }) + part,
        }}
      />
      {dish.sizes ? (
        <Sizes
          dish={dish}
          chosen={chosen}
          onChange={(next) => choose('size', next)}
          error={errorOf(t, errors, 'size')}
          money={venue.money}
        />
      ) : null}
      {preset > 0 ? <Preset last={dish.last === true} several={preset > 1} onClear={clear} /> : null}
      {dish.groups.map((group) => (
        <OptionGroup
          key={group.id}
          group={group}
          chosen={chosen}
          onChange={(next) => choose(`group.${group.id}`, next)}
          error={errorOf(t, errors, `group.${group.id}`)}
          money={venue.money}
        />
      ))}
      {fridge ? null : (
        <Field
          name="note"
          label={t('dish.note')}
          hint={t('dish.noteHint')}
          error={errorOf(t, errors, 'note')}
          value={chosen.note}
          maxLength={NOTE_LENGTH}
          onInput={(note) => choose('note', { ...chosen, note })}
        />
      )}
      <div className="cta">
        {out ? (
          <p id="dish-out" className="note" data-bad role="alert">
            {t('dish.soldOut')}
          </p>
        ) : null}
        {general.map((error) => (
          <p key={error.code} className="note" data-bad role="alert">
            {errorText(t, error)}
          </p>
        ))}
        {otherVenue ? (
          // Two ways, none of them louder, the one that loses nothing first.
          <>
            <Hidden fields={{ delta: chosen.quantity }} />
            {/* With scripts the sheet closes over the menu where it was. */}
            <Link
              className="button"
              data-quiet=""
              to={paths.menu(venue.id)}
              onClick={(event) => {
                event.preventDefault()
                event.currentTarget.closest('dialog')?.close()
              }}
            >
              {t('dish.keep')}
            </Link>
            <Button quiet name="replace" value="1" busy={busy}>
              {t('dish.replace')}
            </Button>
          </>
        ) : (
          <>
            <Quantity
              value={chosen.quantity}
              typed={typed}
              onType={setTyped}
              onChange={(quantity) => choose('delta', { ...chosen, quantity })}
            />
            <Button busy={busy} off={out} describedBy={out ? 'dish-out' : undefined}>
              {t(edited ? 'dish.save' : 'dish.add')}
              <span className="num">
                <Sum of={priceOf(dish, chosen)} money={venue.money} />
              </span>
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

/** Whether the form has a place for it; everything else is told at its button. */
function isShown(dish: DishSheet, { field }: FieldError): boolean {
  if (field === 'size') return dish.sizes !== null
  return field === 'note' || dish.groups.some(({ id }) => field === `group.${id}`)
}

/** A legend can take focus: it is read out with the error beside it. */
function focusError([error]: readonly FieldError[]): void {
  const legend = error && document.getElementById(error.field.replace('.', '-'))
  legend?.scrollIntoView({ block: 'center' })
  legend?.focus({ preventScroll: true })
}

type SizesProps = {
  dish: DishSheet
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  error: string | undefined
  money: MoneyFormat
}

/** The sizes, and what is wrong with the one that is chosen. */
function Sizes({ dish, chosen, onChange, error, money }: SizesProps) {
  const t = useText()
  const gone = goneSize(dish, chosen)
  const message = gone ? t('dish.gone', { name: gone.name }) : error
  return (
    <fieldset className="group" aria-describedby={message ? 'size-error' : undefined}>
      <legend id="size" tabIndex={-1}>
        <b>{t('dish.sizes')}</b>
      </legend>
      {message ? (
        <p className="error" id="size-error" role="alert">
          {message}
        </p>
      ) : null}
      {dish.sizes?.map((size) => (
        <Choice
          key={size.id}
          type="radio"
          name="size"
          value={size.id}
          checked={size.id === chosen.size}
          // The chosen one stays, and is sent: the guest is told what to change.
          disabled={size.out && size !== gone}
          onChange={() => onChange({ ...chosen, size: size.id })}
        >
          <span>{size.name}</span>
          <span className="num">{size.out ? t('menu.out') : <Sum of={size.price} money={money} />}</span>
        </Choice>
      ))}
    </fieldset>
  )
}

type QuantityProps = {
  value: number
  /** As it is being typed, also when it is no number yet. */
  typed: string | null
  onType: (typed: string | null) => void
  onChange: (value: number) => void
}

/** A number that can be typed, with − and + where the app runs. */
function Quantity({ value, typed, onType, onChange }: QuantityProps) {
  const t = useText()
  const isDead = !useHydrated()

  function type(text: string): void {
    const digits = text.replace(/\D/g, '')
    onType(digits)
    if (Number(digits) > 0) onChange(Math.min(MOST, Number(digits)))
  }

  /** Not every browser takes the focus from the number when a button is pressed. */
  function step(by: number): void {
    onType(null)
    onChange(value + by)
  }

  return (
    <span className="step">
      <button
        type="button"
        className="minus"
        hidden={isDead}
        aria-label={t('dish.less')}
        disabled={value <= 1}
        onClick={() => step(-1)}
      />
      <input
        type="text"
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={2}
        name="delta"
        value={typed ?? value}
        aria-label={t('dish.quantity')}
        onChange={(event) => type(event.target.value)}
        onBlur={() => onType(null)}
      />
      <button
        type="button"
        className="plus"
        hidden={isDead}
        aria-label={t('dish.more')}
        disabled={value >= MOST}
        onClick={() => step(1)}
      />
    </span>
  )
}
