import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { OptionGroup as Group, MoneyFormat, Option } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Sum } from '../../ui/Money.tsx'
import { type Chosen, choose, countOf, goneIn, isSingle } from './dish-choice.ts'
import '../../parts/dish/stepper.css'

type Props = {
  group: Group
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  error: string | undefined
  money: MoneyFormat
}

/** One group of additives: its rule in words, its options, its error. */
export function OptionGroup({ group, chosen, onChange, error, money }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const count = countOf(group, chosen)
  const single = isSingle(group)
  const full = !single && count >= group.max
  const isCounted = ({ max }: Option) => max > 1 && !single
  // Beside a stepper there is no room for a price: it stands below the name then, in the whole group.
  const below = group.options.some(isCounted)
  const gone = goneIn(group, chosen)
  // What has sold out and one too many are told at once, beside what can be taken back.
  const message = gone
    ? t('dish.gone', { name: gone.name })
    : (error ?? (count > group.max ? t('errors.max', { count: group.max }) : undefined))
  return (
    <fieldset className="group" aria-describedby={message ? `group-${group.id}-error` : undefined}>
      <legend id={`group-${group.id}`} tabIndex={-1}>
        <b lang={langOf(group.name)}>{group.name}</b>
        <span className="soft">
          {ruleOf(t, group)}
          {group.min > 0 ? `, ${t('dish.required')}` : ''}
          {single || group.max >= group.options.length ? null : (
            <span className="num"> · {t('dish.counter', { count, max: group.max })}</span>
          )}
        </span>
      </legend>
      {message ? (
        <p className="error" id={`group-${group.id}-error`} role="alert">
          {message}
        </p>
      ) : null}
      {group.options.map((option) => {
        const own = chosen.counts[option.id] ?? 0
        const set = (next: number) => onChange(choose(group, option.id, next, chosen))
        return isCounted(option) ? (
          <Counter key={option.id} option={option} count={own} full={full} onChange={set} money={money} />
        ) : (
          <Choice
            key={option.id}
            type={single ? 'radio' : 'checkbox'}
            name={single ? `group.${group.id}` : `option.${option.id}`}
            value={single ? option.id : 1}
            checked={own > 0}
            disabled={option.out && own === 0}
            onChange={(event) => set(event.target.checked ? 1 : 0)}
          >
            <Words option={option} money={money} below={below} />
          </Choice>
        )
      })}
    </fieldset>
  )
}

type CounterProps = {
  option: Option
  count: number
  full: boolean
  onChange: (count: number) => void
  money: MoneyFormat
}

/** An option that can be taken several times: a number that can be typed, with − and + where the app runs. */
function Counter({ option, count, full, onChange, money }: CounterProps) {
  const t = useText()
  const isDead = !useHydrated()
  const words = { name: option.name }
  // What has sold out can be taken back.
  const most = option.out ? count : option.max
  return (
    <div className="choice">
      <Words option={option} money={money} below />
      <span className="step">
        <button
          type="button"
          className="minus"
          hidden={isDead}
          aria-label={t('menu.less', words)}
          disabled={count === 0}
          onClick={() => onChange(count - 1)}
        />
        <input
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          maxLength={2}
          name={`option.${option.id}`}
          value={count}
          disabled={option.out && count === 0}
          aria-label={t('dish.count', words)}
          onChange={(event) => onChange(Math.min(most, Number(event.target.value.replace(/\D/g, ''))))}
        />
        <button
          type="button"
          className="plus"
          hidden={isDead}
          aria-label={t('menu.add', words)}
          disabled={full || count >= most}
          onClick={() => onChange(count + 1)}
        />
      </span>
    </div>
  )
}

type WordsProps = {
  option: Option
  money: MoneyFormat
  /** The price stands below the name. */
  below: boolean
}

function Words({ option, money, below }: WordsProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const words = (
    <>
      <span lang={langOf(option.name)}>{option.name}</span>
      <span className="soft num">
        {option.out ? (
          t('menu.out')
        ) : option.price > 0 ? (
          <>
            +<Sum of={option.price} money={money} />
          </>
        ) : null}
      </span>
    </>
  )
  return below ? <span>{words}</span> : words
}

function ruleOf(t: Text, { min, max, options }: Group): string {
  if (min === max) return t('dish.exactly', { count: min })
  if (min === 0) return t('dish.upTo', { count: Math.min(max, options.length) })
  return max >= options.length ? t('dish.atLeast', { count: min }) : t('dish.between', { min, max })
}
