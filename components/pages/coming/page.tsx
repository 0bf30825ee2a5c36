import { Link } from 'react-router'
import { formatDate } from '../../lib/format/format.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ComingPage } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './coming.css'

export const title: PageTitle<'coming'> = (data, t) => ownTitle(data, t) ?? t('head.coming.title')

type Props = { data: ComingPage }

/** A page of the plan that is not there yet. The two of the main sections show what there is without a sign-in. */
export function Page({ data }: Props) {
  const t = useText()
  const { home, kiosk, url } = useShell()
  const { route, login, orders, filialId } = data
  if (orders.length > 0) return <Orders data={data} />
  const text = t(route === 'orders' ? 'coming.ordersNone' : login ? 'coming.login' : 'coming.text')
  return (
    <Empty page title={ownTitle(data, t) ?? t('coming.title')} text={text}>
      {/* The guest comes back to this very order or bill. */}
      {login && route !== 'orders' && !kiosk ? (
        <form method="post" action={actions.signIn()}>
          <Hidden fields={{ back: url }} />
          <Button quiet>{t('coming.signIn')}</Button>
        </form>
      ) : null}
      <Link className="button" to={filialId === null ? home : paths.menu(filialId)}>
        {t(filialId === null ? 'app.toHome' : 'cart.toMenu')}
      </Link>
      {route === 'profile' ? (
        <Link className="link" to={paths.booking()}>
          {t('coming.bookings')}
        </Link>
      ) : null}
    </Empty>
  )
}

/** What was ordered in this browser: those pages are open to who has ordered. */
function Orders({ data: { orders } }: Props) {
  const t = useText()
  const { utcOffset } = useShell()
  return (
    <section className="placed">
      <h1>{t('coming.orders')}</h1>
      <p className="soft">{t('coming.ordersHere')}</p>
      <ul>
        {orders.map(({ href, number, status, at }) => (
          <li key={href}>
            <Link className="card" to={href}>
              <b>{t(`strip.${status}`, { number })}</b>
              <span className="soft num">{formatDate(at, utcOffset, t.lang)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ownTitle({ route }: ComingPage, t: Text): string | undefined {
  return route === 'orders' ? t('coming.orders') : route === 'profile' ? t('coming.profile') : undefined
}
