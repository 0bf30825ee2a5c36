import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { goBack } from '../lib/back.ts'
import { formatMoney } from '../lib/format.ts'
import { usePending } from '../lib/navigation.ts'
import type { Page, Shell } from '../lib/page-data.ts'
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
import { Section } from './Section.tsx'

/** From here on in smaller letters, hundredths (BL-06). */
const LONG_BALANCE = 10_000_000

type Props = { children: ReactNode }

/** What stands around every screen: header, navigation, messages, the way to the cart. */
export function Layout({ children }: Props) {
  const t = useText()
  const shell = useShell()
  const page = usePage()
  const late = usePending()
  const chrome = chromeOf(page, shell, t)
  const money = page.route === 'menu' || page.route === 'menuSearch' ? page.data.venue.money : shell.money
  const { frame, navbar } = shell.layout
  if (frame === 'none') {
    return (
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
    )
  }
  return (
    <>
      <a className="skip vh" href="#main">
        {t('app.skip')}
      </a>
      <header className="head">
        <Connection />
        <div>
          {chrome.back ? <Back to={shell.fromPayment ? paths.home() : chrome.back} /> : null}
          {chrome.title ? (
            <h1>{chrome.title}</h1>
          ) : (
            <Link className="logo" to={shell.home}>
              {t('app.name')}
            </Link>
          )}
          {frame === 'plain' ? null : (
            <>
              {navbar ? <NavBar route={page.route} /> : null}
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
              {shell.balance === null ? null : (
                <Link
                  className="chip balance num"
                  to={paths.profile()}
                  data-long={shell.balance >= LONG_BALANCE || undefined}
                >
                  <span className="vh">{t('app.balance')}: </span>
                  {formatMoney(shell.balance, money)}
                </Link>
              )}
              {shell.table ? (
                <span className="chip table">{t('table.chip', { number: shell.table.number })}</span>
              ) : null}
              <LanguageLinks />
            </>
          )}
        </div>
      </header>
      <main
        id="main"
        className="main"
        tabIndex={-1}
        data-nav={navbar || undefined}
        aria-busy={late || undefined}
      >
        {chrome.strip && shell.activeOrder ? (
          <Link className="strip" to={shell.activeOrder.href}>
            {t(`strip.${shell.activeOrder.status}`, { number: shell.activeOrder.number })}
          </Link>
        ) : null}
        {shell.flash ? <Flash flash={shell.flash} /> : null}
        <Section name="news">
          <ClientNews />
        </Section>
        {children}
        {chrome.bar ? (
          <Section name="bar">
            <CartBar money={money} nav={navbar} beside={page.route === 'menu'} />
          </Section>
        ) : null}
      </main>
      <Section name="live" instead={null}>
        <LiveCart money={money} />
      </Section>
    </>
  )
}

type Chrome = {
  /** Heading of the page, when the page has no larger one of its own. */
  title: string | undefined
  /** Where Back leads when there is no history. Null: no Back (UI-01). */
  back: string | null
  bar: boolean
  strip: boolean
}

function chromeOf(page: Page, shell: Shell, t: Text): Chrome {
  const { route, data } = page
  const plain = { title: undefined, back: shell.home, bar: false, strip: false }
  switch (route) {
    case 'home':
      return { ...plain, back: null, bar: true, strip: true }
    case 'filials':
      return { ...plain, title: t('head.filials.title'), bar: true }
    case 'town':
    case 'language':
      return { ...plain, title: t(`head.${route}.title`), back: data.back || shell.home }
    case 'menu':
      return { ...plain, bar: true, strip: true }
    case 'cart':
      return {
        ...plain,
        title: t('cart.title'),
        back: data.venue ? paths.menu(data.venue.id) : shell.home,
        strip: true,
      }
    case 'search':
      return { ...plain, title: t.maybe('head.search.title'), bar: true }
    case 'menuSearch':
      return { ...plain, back: paths.menu(data.venue.id), bar: true }
    case 'order':
      return { ...plain, back: paths.menu(data.venue.id) }
    case 'brands':
      return { ...plain, title: t.maybe('head.brands.title'), back: null, bar: true }
    case 'details':
      return { ...plain, back: paths.menu(data.venue.id) }
    case 'brandFilials':
      return {
        ...plain,
        title: data.name || t('head.filials.title'),
        back: data.others ? paths.brands() : null,
        bar: true,
      }
    case 'checking':
    case 'coming':
    case 'cookies':
    case 'age':
    case 'legal':
    case 'notFound':
    case 'error':
      return plain
    default:
      return { ...plain, title: t.maybe(`head.${route}.title`) }
  }
}

/** A link to the page above; with a history of our own it steps back in it (RT-18). */
function Back({ to }: { to: string }) {
  const t = useText()
  const navigate = useNavigate()

  function stepBack(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goBack({
      root: () => navigate(paths.home()),
      up: () => navigate(to, { replace: true }),
    })
  }

  return (
    <Link className="back" to={to} onClick={stepBack}>
      <span className="vh">{t('app.back')}</span>
    </Link>
  )
}
