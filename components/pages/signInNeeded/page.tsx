import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { SignInNeededPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { CoveredDish } from '../../parts/message/CoveredDish.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { OrderPad } from '../../parts/message/OrderPad.tsx'
import { PlacedHere } from '../../parts/order/PlacedHere.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import '../../frame/nav.css'
import './sign-in-needed.css'

export const title: PageTitle<'signInNeeded'> = titleOf

type Props = { data: SignInNeededPage }

/** Stands where a page is for guests who are signed in. The two of the main sections show what there is without that. */
export function Page({ data }: Props) {
  const t = useText()
  const { home } = useShell()
  const { page, orders, venueId } = data
  if (orders.length > 0) return <Orders data={data} />
  return (
    <Empty
      page
      scene={page === 'orders' ? <OrderPad /> : <CoveredDish />}
      title={titleOf(data, t)}
      text={t(page === 'orders' ? 'signInNeeded.ordersNone' : 'signInNeeded.text')}
    >
      <SignIn />
      <Link className="button" to={venueId === null ? home : paths.menu(venueId)}>
        {t(venueId === null ? 'app.toHome' : 'cart.toMenu')}
      </Link>
      {page === 'profile' ? (
        <Link className="link" to={paths.booking()}>
          {t('signInNeeded.bookings')}
        </Link>
      ) : null}
    </Empty>
  )
}

/** What was ordered in this browser, and what an account has ordered is a sign-in away. */
function Orders({ data: { orders } }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  return (
    <section className="sign-in-orders">
      <h1>{t('signInNeeded.orders')}</h1>
      <p className="soft">{t('signInNeeded.ordersHere')}</p>
      <PlacedHere orders={orders} />
      {kiosk ? null : <p className="soft">{t('signInNeeded.ordersMore')}</p>}
      <SignIn />
    </section>
  )
}

/** The guest comes back to this very page. */
function SignIn() {
  const t = useText()
  const { kiosk, url } = useShell()
  if (kiosk) return null
  return (
    <form method="post" action={actions.signIn()}>
      <Hidden fields={{ back: url }} />
      <Button quiet>{t('signInNeeded.enter')}</Button>
    </form>
  )
}

function titleOf({ page }: SignInNeededPage, t: Text): string {
  if (page === 'orders' || page === 'profile') return t(`signInNeeded.${page}`)
  return t('signInNeeded.title')
}
