import { useShell } from '../lib/page/shell.ts'
import type { Page } from '../lib/page-data.ts'
import { Link } from '../lib/router/Link.tsx'
import { useText } from '../lib/text/text.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'

type Props = { route: Page['route'] }

/** The main sections: at the thumb on a phone, in the header where there is room. */
export function NavBar({ route }: Props) {
  const t = useText()
  const { url } = useShell()
  const here = (is: boolean) => (is ? 'page' : undefined)
  return (
    <nav className="nav" aria-label={t('nav.label')}>
      <Link to={paths.home()} aria-current={here(route === 'home')}>
        <Icon name="house" />
        {t('nav.home')}
      </Link>
      <Link to={paths.venues()} aria-current={here(route === 'venues')}>
        <Icon name="store" />
        {t('nav.venues')}
      </Link>
      <Link to={paths.orders()} aria-current={here(url === paths.orders())}>
        <Icon name="receipt-text" />
        {t('nav.orders')}
      </Link>
      <Link to={paths.profile()} aria-current={here(url.split('?')[0] === paths.profile())}>
        <Icon name="user" />
        {t('nav.profile')}
      </Link>
    </nav>
  )
}
