import { useCartMutation } from '../../lib/cart/cart.tsx'
import { Link } from '../../lib/router/Link.tsx'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = { order: string; quiet?: boolean }

/** Puts an order into the cart once more; asks before the cart of another venue makes way (OR-14, CT-16). */
export function RepeatOrder({ order, quiet }: Props) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all', untilPage: true })
  const busy = mutation.status === 'sending'
  const otherVenue = mutation.errors.some((error) => error.code === 'otherVenue')
  return (
    <form className="repeat" method="post" action={actions.repeatOrder()} onSubmit={mutation.submit}>
      <Hidden fields={{ order, back: paths.cart() }} />
      {mutation.errors.map((error) => (
        <p key={error.code} className="note" data-bad role="alert">
          {errorText(t, error)}
        </p>
      ))}
      {otherVenue ? (
        // Two ways, none of them louder, the one that loses nothing first.
        <>
          <Link className="button" data-quiet to={paths.cart()}>
            {t('dish.keep')}
          </Link>
          <Button quiet busy={busy} name="replace" value="1">
            {t('repeat.replace')}
          </Button>
        </>
      ) : (
        <Button quiet={quiet === true} busy={busy}>
          {t('repeat.button')}
        </Button>
      )}
    </form>
  )
}
