import { useEffect, useRef } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage, TotalKind } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import '../../ui/destroy.css'
import '../../ui/field.css'

type Props = { order: OrderPage; capability: string | null; here: string }

/** Asks before an order is taken back. The reason goes to the venue in the guest's own words. */
export function CancelQuestion({ order, capability, here }: Props) {
  const t = useText()
  const { flash, url } = useShell()
  const heading = useRef<HTMLHeadingElement>(null)
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const error = errorOf(t, errors, 'form')
  const reasons = [t('care.reason.mind'), t('care.reason.mistake'), t('care.reason.long')]

  // The page stays, so the focus is moved here to what the guest has asked for.
  useEffect(() => heading.current?.focus(), [])

  // It stays mounted: of an answer that was lost the order itself has told by now.
  if (!order.canCancel) return null
  return (
    <section className="card leave" aria-labelledby="leave">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to */}
      <h2 id="leave" ref={heading} tabIndex={-1} autoFocus>
        {t('care.cancelAsk')}
      </h2>
      <p>{t('care.cancelText')}</p>
      <MoneyBack order={order} />
      <form
        method="post"
        action={actions.cancelOrder(order.id, capability)}
        onSubmit={mutation.submit}
        data-bad=""
      >
        <Hidden fields={{ back: here, ask: url }} />
        <fieldset>
          <legend>{t('care.why')}</legend>
          {reasons.map((reason) => (
            <label key={reason} className="choice">
              <input type="radio" name="reason" value={reason} />
              <span>{reason}</span>
            </label>
          ))}
        </fieldset>
        {error ? (
          <p className="note" data-bad role="alert">
            {error}
          </p>
        ) : null}
        <Button quiet busy={mutation.status === 'sending'}>
          {t('care.sure')}
        </Button>
      </form>
      <Link className="button" data-quiet to={here} replace>
        {t('care.keep')}
      </Link>
    </section>
  )
}

/** What will be given back, and where it goes: the money, if any was charged, and the bonuses beside it. */
function MoneyBack({ order: { paid, cardSum, totals, money } }: { order: OrderPage }) {
  const t = useText()
  const sumOf = (wanted: TotalKind) => totals.find(({ kind }) => kind === wanted)?.sum ?? 0
  const charged = paid ? (cardSum ?? sumOf('total')) : 0
  // They are told as what comes off the sum.
  const bonuses = -sumOf('bonus')
  return (
    <>
      <p>{charged > 0 ? t('care.moneyBack', { sum: formatMoney(charged, money) }) : t('order.noCharge')}</p>
      {bonuses > 0 ? <p>{t('care.bonusComesBack', { sum: formatMoney(bonuses, money) })}</p> : null}
    </>
  )
}
