import { FragmentList } from '../lib/page/FragmentList.tsx'
import { FRAME } from '../lib/page/fragments.ts'
import './layout.css'
import { type MouseEvent, type ReactNode, useContext } from 'react'
import { goBack } from '../lib/browser/back.ts'
import { formatMoney, formatTime } from '../lib/format/format.ts'
import { usePending } from '../lib/page/navigation.ts'
import { moduleOf, PagesContext } from '../lib/page/pages.ts'
import { usePage, useShell } from '../lib/page/shell.ts'
import { isPlain, Link } from '../lib/router/Link.tsx'
import { useNavigate } from '../lib/router/use-navigation.ts'
import { useText } from '../lib/text/text.tsx'
import { Section } from '../parts/section/Section.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'
import { CartBar } from './CartBar.tsx'
import { ClientNews } from './ClientNews.tsx'
import { Connection } from './Connection.tsx'
import { Flash } from './Flash.tsx'
import { LanguageLinks } from './LanguageLinks.tsx'
import { LiveCart } from './LiveCart.tsx'
import { NavBar } from './NavBar.tsx'
import { useOpening } from './opening.ts'

/** From here on in smaller letters, hundredths (BL-06). */
const LONG_BALANCE = 10_000_000

type Props = { children: ReactNode }

/** What stands around every page: header, navigation, messages, the way to the cart. */
export function Layout({ children }: Props) {
  const t = useText()
  const shell = useShell()
  const page = usePage()
  const late = usePending()
  useOpening()
  const own = moduleOf(useContext(PagesContext), page)?.frame ?? {}
  const heading = own.heading?.(page.data, t)
  const back = own.back === null ? null : own.back?.(page.data, shell)
  const venue = own.venue?.(page.data)
  const root = own.root?.(page.data) || paths.home()
  const { frame, navbar } = shell.layout
  const { balance } = shell
  if (frame === 'none') {
    return (
      <>
        <Connection />
        <main id="main" className="main" tabIndex={-1}>
          {children}
        </main>
      </>
    )
  }
  return (
    <>
      <a className="skip vh" href={own.bar === 'beside' ? '#dishes' : '#main'}>
        {t('app.skip')}
      </a>
      <header className="head">
        {/* Behind a long menu the cart is a hundred Tabs away. Within a landmark, as it leads to another page. */}
        {own.bar ? (
          <Link className="skip vh" to={paths.cart()}>
            {t('cart.title')}
          </Link>
        ) : null}
        <Connection />
        <div data-seated={shell.table && frame !== 'plain' ? '' : undefined}>
          {back === null ? null : <Back to={shell.fromPayment ? root : back || shell.home} root={root} />}
          {own.name ? (
            <Section name="name" instead={null}>
              {/* Whose page it is; the page's own heading says it to those who listen. */}
              <span className="named" aria-hidden="true">
                {own.name(page.data)}
              </span>
            </Section>
          ) : (
            <Link className="logo" to={shell.home} data-beside={heading && ''}>
              <span>{shell.site ?? t('app.name')}</span>
            </Link>
          )}
          {heading ? <h1>{heading}</h1> : null}
          {frame === 'plain' ? null : (
            <>
              {own.address && shell.service === 'delivery' ? (
                <Link className="chip" to={paths.addresses({ back: shell.url })}>
                  <Icon name="map-pin" />
                  <span className="vh">{t('address.to')} </span>
                  <span>{own.address(page.data) ?? t('address.choose')}</span>
                </Link>
              ) : !own.town || !shell.town.name ? null : (
                <Link
                  className="chip"
                  to={paths.town({ back: shell.url })}
                  aria-label={t('town.change', { town: shell.town.name })}
                >
                  <Icon name="map-pin" />
                  <span>{shell.town.name}</span>
                </Link>
              )}
              {balance === null && !shell.balanceUnknown ? null : (
                <Link
                  className="chip balance num"
                  to={paths.profile()}
                  data-long={(balance ?? 0) >= LONG_BALANCE || undefined}
                >
                  <small>{t('app.balance')}</small>
                  {balance === null ? '…' : formatMoney(balance, venue?.money ?? shell.money)}
                </Link>
              )}
              {shell.table ? (
                <Link className="chip table" to={paths.bill(shell.table.venueId)}>
                  {t('table.chip', { number: shell.table.number })}
                  {shell.table.venue && <span>{shell.table.venue}</span>}
                </Link>
              ) : null}
              {/* Behind what only some pages have: at one place in all of them. */}
              {navbar ? <NavBar /> : null}
            </>
          )}
          <FragmentList
            items={[
              {
                // A query may be anything: what few guests ask for is not worth keeping.
                of: shell.url.includes('?') ? shell : FRAME,
                how: ['langs', shell.langs, shell.url],
                node: <LanguageLinks key={0} />,
              },
            ]}
          />
          {shell.host ? (
            <button type="button" data-host="" aria-label={t('app.close')}>
              ×
            </button>
          ) : null}
        </div>
      </header>
      <main
        id="main"
        className="main"
        tabIndex={-1}
        data-nav={navbar || undefined}
        aria-busy={late || undefined}
        style={late ? { opacity: 0.6 } : undefined}
      >
        {own.order && shell.activeOrder && !(own.order === 'paid' && shell.activeOrder.unpaid) ? (
          <Link className="strip card" to={shell.activeOrder.href}>
            {t(shell.activeOrder.unpaid ? 'strip.unpaid' : `strip.${shell.activeOrder.status}`, {
              number: shell.activeOrder.label,
            })}
            {shell.activeOrder.readyAt ? (
              <span className="num">{`~${formatTime(shell.activeOrder.readyAt, shell.activeOrder.utcOffset)}`}</span>
            ) : null}
          </Link>
        ) : null}
        {shell.flash && !own.says?.(shell) ? (
          <Flash flash={shell.flash} beside={own.beside?.(page.data, shell) ?? []} />
        ) : null}
        <Section name="news">
          <ClientNews />
        </Section>
        {children}
        {own.bar ? (
          <Section name="bar">
            <CartBar at={venue?.id} nav={navbar} beside={own.bar === 'beside'} />
          </Section>
        ) : null}
      </main>
      <Section name="live" instead={null}>
        <LiveCart />
      </Section>
    </>
  )
}

/** A link to the page above; with a history of our own it steps back in it (RT-18). */
function Back({ to, root }: { to: string; root: string }) {
  const t = useText()
  const navigate = useNavigate()

  function stepBack(event: MouseEvent): void {
    if (!isPlain(event)) return
    event.preventDefault()
    goBack({
      root: () => navigate(root),
      up: () => navigate(to, { replace: true }),
    })
  }

  return (
    <Link className="back" to={to} onClick={stepBack}>
      <span className="vh">{t('app.back')}</span>
    </Link>
  )
}
