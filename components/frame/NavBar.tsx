import { useShell } from '../lib/page/shell.ts'
import { Link } from '../lib/router/Link.tsx'
import { useText } from '../lib/text/text.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'

/**
 * The main sections: at the thumb on a phone, in the header where there is room. Pages that have it
 * bring its styles, `nav.css`: most documents have neither.
 */
export function NavBar() {
  const t = useText()
  const { url } = useShell()
  const [path] = url.split('?')
  const here = (to: string) => (path === to || path === `${to}/` ? 'page' : undefined)
  return (
    <nav className="nav" aria-label={t('nav.label')}>
      <Link to={paths.home()} aria-current={here(paths.home())}>
        <Icon name="house" />
        {t('nav.home')}
      </Link>
      <Link to={paths.venues()} aria-current={here(paths.venues())}>
        <Icon name="store" />
        {t('nav.venues')}
      </Link>
      <Link to={paths.orders()} aria-current={here(paths.orders())}>
        <Icon name="receipt-text" />
        {t('nav.orders')}
      </Link>
      <Link to={paths.profile()} aria-current={here(paths.profile())}>
        <Icon name="user" />
        {t('nav.profile')}
      </Link>
    </nav>
  )
}
