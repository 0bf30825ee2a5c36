import { Link } from 'react-router'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { CartPage, CartView, MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Totals } from '../../parts/cart/Totals.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { TableNumber } from './TableNumber.tsx'

const GATES = ['signIn', 'soon', 'noPayment', 'table'] as const

type Gates = (typeof GATES)[number]

/** What has to be settled elsewhere before an order can be sent at all. The keys of a tablet are asked on the spot. */
export function gateOf({ blocks, keypad }: CartPage): Gates | undefined {
  return GATES.find((gate) => blocks.includes(gate) && !(gate === 'table' && keypad))
}

type Props = { gate: Gates; data: CartPage; cart: CartView; money: MoneyFormat; pending: boolean }

/** The sums, what is missing, and the one thing to do about it: no form and no button of an order that can't be sent. */
export function Gate({ gate, data, cart, money, pending }: Props) {
  const t = useText()
  return (
    // The fragment of the address after a post without scripts.
    <div id="order" className="checkout">
      <section className="card" aria-label={t('sum.sum')}>
        <Totals totals={data.totals} money={money} busy={pending} />
      </section>
      <section className="notes" aria-label={t('block.title')}>
        <div id={`block-${gate}`} className="note" tabIndex={-1}>
          {t(`block.${gate}`)}
        </div>
      </section>
      {gate === 'table' ? (
        data.tableTyped ? (
          <TableNumber filialId={cart.filialId} />
        ) : null
      ) : gate === 'noPayment' || !data.venue?.services.includes('express') ? (
        <Link className="button" to={paths.menu(cart.filialId)}>
          {t('cart.toMenu')}
        </Link>
      ) : (
        <ToTable />
      )}
    </div>
  )
}

/** Only orders to a table need no sign-in (ZZ-06). */
function ToTable() {
  const t = useText()
  const mutation = useCartMutation()
  return (
    <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ service: 'express', back: paths.cart() }} />
      <Button busy={mutation.status === 'sending'}>{t('block.toTable')}</Button>
    </form>
  )
}
