import { type RefObject, useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { CartPage, ErrorCode, FieldError, MoneyFormat } from '../../lib/page-data.ts'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { errorText, isBesideField } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { blockText, Retry } from '../../parts/cart/Blocks.tsx'

/** First pause before the restaurant is asked again, and the longest. */
const PAUSE = 4000
const LONGEST_PAUSE = 30_000
/** What passes by itself. */
const PASSING: readonly ErrorCode[] = ['unavailable', 'network']
/** What the guest has to look at first. */
const TO_LOOK_AT: readonly ErrorCode[] = ['versionChanged', 'priceChanged', 'gone']

export type Trouble = {
  /** The restaurant can't be asked whether the dishes are there. */
  unchecked: boolean
  /** It did not answer, and does by now. */
  answers: boolean
  errors: readonly FieldError[]
}

/** Why the order did not go. While the restaurant does not answer, it is asked again without the guest. */
export function useTrouble(data: CartPage, version: number, refusals: readonly FieldError[]): Trouble {
  const revalidate = useRevalidate()
  const errors = useStanding(data, version, refusals)
  const unchecked = data.blocks.includes('checkFailed')
  const passing = errors.some(({ code }) => PASSING.includes(code))
  const [fine, setFine] = useState<{ errors: readonly FieldError[] } | null>(null)
  const asked = useRef(false)
  const answers = fine?.errors === errors && !unchecked
  const waits = unchecked || (passing && !answers)

  // The restaurant and the timer are outside of React.
  useEffect(() => {
    if (!waits) return
    let pause = PAUSE
    function ask(): void {
      asked.current = true
      void revalidate()
      pause = Math.min(2 * pause, LONGEST_PAUSE)
      clearTimeout(timer)
      timer = setTimeout(ask, pause)
    }
    let timer = setTimeout(ask, pause)
    addEventListener('online', ask)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', ask)
    }
  }, [waits, revalidate])

  // The answer to what was asked above comes as another page.
  useEffect(() => {
    if (!asked.current || data.blocks.includes('checkFailed')) return
    asked.current = false
    setFine({ errors })
  }, [data, errors])

  return { unchecked, answers, errors: answers ? [] : errors }
}

/**
 * The errors whose cause still stands: what the page has said as well, and says no more, is settled. A dish that is gone is
 * also settled by a change of the cart, where the page was never as old as the refusal.
 */
function useStanding(data: CartPage, version: number, errors: readonly FieldError[]): readonly FieldError[] {
  const [since, setSince] = useState({ errors, version, blocks: data.blocks, standing: errors })
  if (since.errors !== errors) {
    setSince({ errors, version, blocks: data.blocks, standing: errors })
    return errors
  }
  const blocks = [...new Set([...since.blocks, ...data.blocks])]
  const standing = since.standing.filter((error) => {
    const block = blockOf(error)
    const isChanged = error.code === 'gone' && since.version !== version
    return !block || data.blocks.includes(block) || !(isChanged || blocks.includes(block))
  })
  // The same list as long as it says the same: what is asked again for it goes by that.
  if (blocks.length > since.blocks.length || standing.length < since.standing.length) {
    const remaining = standing.length < since.standing.length ? standing : since.standing
    setSince({ ...since, blocks, standing: remaining })
    return remaining
  }
  return since.standing
}

/** What the page says of the same cause. */
function blockOf({ code, values }: FieldError): string | undefined {
  if (code === 'gone' || code === 'priceChanged') return 'problems'
  if (code === 'closed') return 'closed'
  if (code === 'tableRequired') return 'table'
  return code === 'blocked' ? String(values?.reason) : undefined
}

type Props = {
  trouble: Trouble
  data: CartPage
  goods: number
  money: MoneyFormat
  focus: RefObject<HTMLDivElement | null>
}

/** What is wrong with the order, in the place of its button: the reason, what can be done, and that it is asked again. */
export function OrderTrouble({ trouble: { unchecked, answers, errors }, data, goods, money, focus }: Props) {
  const t = useText()
  // Scripts ask again by themselves.
  const asks = useHydrated()
  if (answers) {
    return (
      <p className="note" data-info="" role="status">
        {t('cart.answers')}
      </p>
    )
  }
  const general = errors.filter((error) => !isBesideField(error))
  const texts = new Set(
    general.map((error) => blockedText(t, error, data, goods, money) ?? errorText(t, error)),
  )
  if (errors.length > general.length) texts.add(t('flash.formErrors'))
  if (unchecked && texts.size === 0) texts.add(t.maybe('block.checkFailed') ?? t('errors.unavailable'))
  if (texts.size === 0) return null
  const passing = unchecked || general.some(({ code }) => PASSING.includes(code))
  const look = general.some(({ code }) => TO_LOOK_AT.includes(code))
  return (
    // The fragment of the address after a post without scripts.
    <div id="order" ref={focus} className="note" data-bad="" role="alert" tabIndex={-1}>
      {[...texts].map((text) => (
        <p key={text}>{text}</p>
      ))}
      {passing && asks ? <p className="soft">{t('cart.rechecking')}</p> : null}
      {unchecked ? (
        asks ? null : (
          <Retry />
        )
      ) : look ? (
        <a className="link" href={data.blocks.includes('problems') ? '#block-problems' : '#lines'}>
          {t('cart.look')}
        </a>
      ) : data.blocks.includes('table') ? (
        <a className="link" href="#block-table">
          {t('cart.look')}
        </a>
      ) : null}
    </div>
  )
}

/** What the restaurant has found in the way, in the same words as on the page. */
function blockedText(
  t: Text,
  { code, values }: FieldError,
  data: CartPage,
  goods: number,
  money: MoneyFormat,
): string | undefined {
  return code === 'blocked' ? blockText(t, String(values?.reason), data, goods, money) : undefined
}
