import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ComingPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { CoveredDish } from '../../parts/message/CoveredDish.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { OrderPad } from '../../parts/message/OrderPad.tsx'
import { PlacedHere } from '../../parts/order/PlacedHere.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './coming.css'

export const title: PageTitle<'coming'> = (data, t) => ownTitle(data, t) ?? t('head.coming.title')

type Props = { data: ComingPage }

/** A page of the plan that is not there yet. The two of the main sections show what there is without a sign-in. */
export function Page({ data }: Props) {
  const t = useText()
  const { home } = useShell()
  const { route, login, orders, venueId } = data
  if (orders.length > 0) return <Orders data={data} />
  const text = t(route === 'orders' ? 'coming.ordersNone' : login ? 'coming.login' : 'coming.text')
  return (
    <Empty
      page
      scene={route === 'orders' ? <OrderPad /> : <CoveredDish />}
      title={ownTitle(data, t) ?? t('coming.title')}
      text={text}
    >
      {login ? <SignIn /> : null}
      <Link className="button" to={venueId === null ? home : paths.menu(venueId)}>
        {t(venueId === null ? 'app.toHome' : 'cart.toMenu')}
      </Link>
      {route === 'profile' ? (
        <Link className="link" to={paths.booking()}>
          {t('coming.bookings')}
        </Link>
      ) : null}
    </Empty>
  )
}

/** What was ordered in this browser, and what an account has ordered is a sign-in away. */
function Orders({ data: { orders } }: Props) {
  const t = useText()
  return (
    <section className="coming-orders">
      <h1>{t('coming.orders')}</h1>
      <p className="soft">{t('coming.ordersHere')}</p>
      <PlacedHere orders={orders} />
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
      <Button quiet>{t('coming.signIn')}</Button>
    </form>
  )
}

function ownTitle({ route }: ComingPage, t: Text): string | undefined {
  return route === 'orders' ? t('coming.orders') : route === 'profile' ? t('coming.profile') : undefined
}
