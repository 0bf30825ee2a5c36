import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { useMutation } from '../lib/cart.tsx'
import { formatMoney } from '../lib/format.ts'
import { useOnline } from '../lib/online.ts'
import type { CartPage, CartView, MoneyFormat, PaymentKind } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions, paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { Field } from '../ui/Field.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Loader } from '../ui/Loader.tsx'
import { errorOf, errorText, isBesideField } from './errors.ts'
import { OpenLine, openText } from './OpenLine.tsx'
import { Totals } from './Totals.tsx'

const NAME_LENGTH = 60
const COMMENT_LENGTH = 500

type Props = { data: CartPage; cart: CartView; money: MoneyFormat; pending: boolean }

/** Name, wishes, payment, sums and the one button. What is in the way is told, the button is never dead. */
export function Checkout({ data, cart, money, pending }: Props) {
  const t = useText()
  const { flash, kiosk } = useShell()
  const mutation = useMutation()
  const online = useOnline()
  // Whoever does not wait sees the answer all the same: the order is on its way.
  const [waiting, setWaiting] = useState(true)
  const typed = flash?.values.payment?.[0]
  const [payment, setPayment] = useState<PaymentKind | undefined>(
    data.payments.find((kind) => kind === typed) ?? data.payments[0],
  )
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const isClosed = data.blocks.includes('closed')
  const general = mutation.errors.filter((error) => !isBesideField(error))
  const total = data.totals.find((one) => one.kind === 'total')?.sum ?? cart.total

  function submit(event: FormEvent<HTMLFormElement>): void {
    const block = data.blocks[0]
    if (!online) {
      event.preventDefault()
      return
    }
    if (!block) {
      setWaiting(true)
      void mutation.submit(event)
      return
    }
    event.preventDefault()
    document.getElementById(`block-${block}`)?.focus()
  }

  return (
    <form className="checkout" method="post" action={actions.placeOrder()} onSubmit={submit}>
      <Hidden fields={{ cart_version: cart.version, total, back: paths.cart() }} />
      <section className="card">
        <h2>{t('cart.details')}</h2>
        <Field
          name="name"
          label={t('cart.name')}
          hint={t('cart.optional')}
          error={errorOf(t, errors, 'name')}
          value={flash?.values.name?.[0] ?? data.name}
          maxLength={NAME_LENGTH}
          autoComplete={kiosk ? 'off' : 'given-name'}
        />
        <Field
          name="comment"
          label={t('cart.comment')}
          hint={t('cart.commentHint', { count: COMMENT_LENGTH })}
          error={errorOf(t, errors, 'comment')}
          value={flash?.values.comment?.[0] ?? ''}
          maxLength={COMMENT_LENGTH}
          long
        />
      </section>
      {data.payments.length > 0 ? (
        <fieldset className="card">
          <legend>
            <h2>{t('cart.payment')}</h2>
          </legend>
          {data.payments.map((kind) => (
            <Choice
              key={kind}
              type="radio"
              name="payment"
              value={kind}
              checked={kind === payment}
              onChange={() => setPayment(kind)}
            >
              <span>
                {t(`payment.${kind}`)}
                <span className="soft">
                  {t(data.pickup && kind === 'cash' ? 'cart.payCounter' : `payment.${kind}Hint`)}
                </span>
              </span>
            </Choice>
          ))}
          {errorOf(t, errors, 'payment') ? <p className="error">{errorOf(t, errors, 'payment')}</p> : null}
        </fieldset>
      ) : null}
      <section className="card" aria-label={t('sum.sum')}>
        <Totals totals={data.totals} money={money} busy={pending} />
      </section>
      <Blocks data={data} goods={cart.total} money={money} />
      {general.map((error) => (
        <p key={error.code} className="note" data-bad role="alert">
          {errorText(t, error)}
        </p>
      ))}
      <p className="soft consent">
        {t('cart.consent')}{' '}
        <Link className="link" to={paths.legal('terms')}>
          {t('cart.terms')}
        </Link>
        {', '}
        <Link className="link" to={paths.legal('privacy')}>
          {t('cart.privacy')}
        </Link>
      </p>
      {mutation.status === 'sending' && waiting ? (
        <Loader
          text={t('cart.sending')}
          longText={t('cart.sendingLong')}
          cancel={t('cart.stopWaiting')}
          onCancel={() => setWaiting(false)}
        />
      ) : null}
      <div className="order">
        {online ? null : (
          <p id="offline" className="error" role="status">
            {t('cart.offline')}
          </p>
        )}
        <Button
          busy={mutation.status === 'sending'}
          off={!online}
          quiet={isClosed}
          describedBy={online ? undefined : 'offline'}
        >
          {mutation.status === 'sending' ? (
            t('cart.sending')
          ) : data.venue && isClosed ? (
            openText(t, data.venue.open)
          ) : (
            <>
              {/* CSS shows the words of the chosen payment: they are right without scripts too. */}
              {(data.payments.length > 0 ? data.payments : (['cash'] as const)).map((kind) => (
                <span key={kind} data-pay={kind}>
                  {t(kind === 'cash' ? 'cart.orderCash' : 'cart.orderOnline', {
                    sum: formatMoney(total, money),
                  })}
                </span>
              ))}
            </>
          )}
        </Button>
      </div>
    </form>
  )
}

/** What is in the way of the order. The button leads the focus here. */
function Blocks({ data, goods, money }: { data: CartPage; goods: number; money: MoneyFormat }) {
  const t = useText()
  // The keys of a tablet are asked on the spot where this would be told.
  const told = (block: string) =>
    block !== 'problems' && block !== 'empty' && !(block === 'table' && data.keypad)
  const blocks = data.blocks.filter(told)
  const changed = data.blocks.includes('problems')
  if (blocks.length === 0 && !changed) return null
  return (
    <section className="notes" aria-label={t('block.title')}>
      {changed ? (
        <p className="note" data-bad>
          {t('block.problems')}{' '}
          <a className="link" href="#block-problems">
            {t('cart.problems')}
          </a>
        </p>
      ) : null}
      {blocks.map((block) => (
        <div key={block} id={`block-${block}`} className="note" tabIndex={-1}>
          {t.maybe(`block.${block}`, sumsOf(block, data, goods, money)) ?? t('errors.unavailable')}
          {block === 'closed' && data.venue ? (
            <p>
              <OpenLine state={data.venue.open} />
            </p>
          ) : null}
          {block === 'checkFailed' ? (
            <p>
              <a className="link" href={paths.cart()}>
                {t('app.retry')}
              </a>
            </p>
          ) : null}
        </div>
      ))}
    </section>
  )
}

/** The sums that an obstacle speaks of. */
function sumsOf(block: string, { delivery }: CartPage, goods: number, money: MoneyFormat) {
  const limit = block === 'minSum' ? delivery?.minSum : block === 'maxSum' ? delivery?.maxSum : null
  if (!limit) return undefined
  return { sum: formatMoney(limit, money), missing: formatMoney(Math.max(0, limit - goods), money) }
}
