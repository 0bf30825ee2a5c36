import { useShell } from '../../lib/page/shell.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import './footer.css'

/** The end of pages that are read: answers, documents and the release (UI-11). */
export function Footer() {
  const t = useText()
  const { version, url, kiosk, site } = useShell()
  const links = [
    [paths.faq(), t('footer.faq')],
    [paths.legal('terms'), t('footer.terms')],
    [paths.legal('privacy'), t('footer.privacy')],
    [paths.language({ back: url }), t('app.language')],
  ] as const
  return (
    <footer className="footer soft">
      <ul>
        {links.map(([to, name]) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
        {kiosk ? null : (
          // A plain text, in English as the licences are; a tablet would not come back from it.
          <li>
            <a href={paths.notices()} hrefLang="en">
              {t('footer.notices')}
            </a>
          </li>
        )}
      </ul>
      <p>
        {site ?? t('app.name')} {version}
      </p>
    </footer>
  )
}
