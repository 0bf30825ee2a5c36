import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { CartLine, MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith, Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'

type Props = {
  lines: CartLine[]
  money: MoneyFormat
  /** The form that comes along, as with a line. */
  form: string | undefined
}

/** What changed since the guest chose, and one button that settles it. Nothing is dropped silently. */
export function CartProblems({ lines, money, form }: Props) {
  const t = useText()
  const mutation = useCartMutation()
  const gone = lines.filter((line) => line.problem === 'gone')
  const dearer = lines.filter((line) => line.problem === 'price')
  if (gone.length + dearer.length === 0) return null
  const repair =
    dearer.length === 0 ? 'cart.repairGone' : gone.length === 0 ? 'cart.repairPrice' : 'cart.repairBoth'
  return (
    <section className="note problems" data-bad id="block-problems" tabIndex={-1} aria-labelledby="problems">
      <h2 id="problems">{t('cart.problems')}</h2>
      <ul>
        {gone.map((line) => (
          <li key={line.id}>{t('cart.gone', { name: line.name })}</li>
        ))}
        {dearer.map((line) => (
          <li key={line.id}>
            {t('cart.priceChanged', { name: line.name })}{' '}
            <span className="num">
              <s>
                <span className="vh">{t('menu.oldPrice')} </span>
                <Sum of={line.oldPrice ?? line.price} money={money} />
              </s>{' '}
              <span className="vh">{t('cart.newPrice')} </span>
              <b>
                <Sum of={line.price} money={money} />
              </b>
            </span>
          </li>
        ))}
      </ul>
      <form method="post" action={actions.repairCart()} onSubmit={mutation.submit}>
        <Hidden fields={{ back: paths.cart() }} />
        <Button busy={mutation.status === 'sending'} along={alongWith(form, actions.repairCart())}>
          {t(repair)}
        </Button>
      </form>
    </section>
  )
}
