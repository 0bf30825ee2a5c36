import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { usePending } from '../lib/navigation.ts'
import type { Page } from '../lib/page-data.ts'
import { usePage, useShell } from '../lib/shell.ts'
import { type Text, useText } from '../lib/text.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'
import { CartBar } from './CartBar.tsx'
import { ClientNews } from './ClientNews.tsx'
import { Connection } from './Connection.tsx'
import { Flash } from './Flash.tsx'
import { LanguageLinks } from './LanguageLinks.tsx'
import { LiveCart } from './LiveCart.tsx'
import { NavBar } from './NavBar.tsx'

type Props = { children: ReactNode }

/** What stands around every screen: header, navigation, messages, the way to the cart. */
export function Layout({ children }: Props) {
  const t = useText()
  const shell = useShell()
  const page = usePage()
  const late = usePending()
  const chrome = chromeOf(page, t)
  const money = page.route === 'menu' ? page.data.venue.money : shell.money
  return (
    <>
      <a className="skip vh" href="#main">
        {t('app.skip')}
      </a>
      <header className="head">
        <Connection />
        <div>
          {chrome.back ? <Back to={chrome.back} /> : null}
          {chrome.title ? (
            <h1>{chrome.title}</h1>
          ) : (
            <Link className="logo" to={paths.home()}>
              {t('app.name')}
            </Link>
          )}
          {chrome.nav ? (
            <>
              <NavBar route={page.route} />
              {page.route !== 'home' ? null : (
                <Link
                  className="chip"
                  to={paths.town({ back: shell.url })}
                  aria-label={t('town.change', { town: shell.town.name })}
                >
                  <Icon name="map-pin" />
                  <span>{shell.town.name}</span>
                </Link>
              )}
            </>
          ) : null}
          {shell.table ? (
            <span className="chip table">{t('table.chip', { number: shell.table.number })}</span>
          ) : null}
          <LanguageLinks />
        </div>
      </header>
      <main
        id="main"
        className="main"
        tabIndex={-1}
        data-nav={chrome.nav || undefined}
        aria-busy={late || undefined}
      >
        {chrome.strip && shell.activeOrder ? (
          <Link className="strip" to={shell.activeOrder.href}>
            {t(`strip.${shell.activeOrder.status}`, { number: shell.activeOrder.number })}
          </Link>
        ) : null}
        {shell.flash ? <Flash flash={shell.flash} /> : null}
        <ClientNews />
        {children}
        {chrome.bar ? <CartBar money={money} nav={chrome.nav} beside={page.route === 'menu'} /> : null}
      </main>
      <LiveCart money={money} />
    </>
  )
}

type Chrome = {
  /** Heading of the page, when the page has no larger one of its own. */
  title: string | null
  /** Where Back leads when there is no history. Null: no Back (UI-01). */
  back: string | null
  nav: boolean
  bar: boolean
  strip: boolean
}

function chromeOf(page: Page, t: Text): Chrome {
  const plain = { title: null, back: paths.home(), nav: false, bar: false, strip: false }
  switch (page.route) {
    case 'home':
      return { ...plain, back: null, nav: true, bar: true, strip: true }
    case 'filials':
      return { ...plain, title: t('venues.title'), nav: true, bar: true }
    case 'town':
      return { ...plain, title: t('town.title'), back: page.data.back || paths.home() }
    case 'menu':
      return { ...plain, bar: true, strip: true }
    case 'cart':
      return {
        ...plain,
        title: t('cart.title'),
        back: page.data.venue ? paths.menu(page.data.venue.id) : paths.home(),
        strip: true,
      }
    case 'order':
      return { ...plain, back: paths.menu(page.data.venue.id) }
    case 'checking':
    case 'coming':
    case 'notFound':
    case 'error':
      return { ...plain, nav: page.route === 'coming' || page.route === 'notFound' }
  }
}

/** A link to the page above; with a history of our own it steps back in it. */
function Back({ to }: { to: string }) {
  const t = useText()
  const navigate = useNavigate()

  function stepBack(event: MouseEvent): void {
    if (!hasHistory()) return
    event.preventDefault()
    navigate(-1)
  }

  return (
    <Link className="back" to={to} onClick={stepBack}>
      <span className="vh">{t('app.back')}</span>
    </Link>
  )
}

/** The router numbers the entries that it made. */
function hasHistory(): boolean {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state && Number(state.idx) > 0
}
