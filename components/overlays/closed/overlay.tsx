import { useShell } from '../../lib/page/shell.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Shutter } from './Shutter.tsx'
import './closed.css'

/** What a guest of a closed venue can do: read its menu, or eat elsewhere. When it opens stands above. */
export function Overlay() {
  const t = useText()
  const { kiosk, table } = useShell()
  return (
    <section className="shut card" aria-labelledby="shut">
      <Shutter />
      <div>
        <h2 id="shut">{t('closed.title')}</h2>
        <p className="soft">{t('closed.text')}</p>
        {/* A guest at a table can't go to another one. */}
        {kiosk || table ? null : (
          <Link className="link" to={paths.venues()}>
            {t('closed.others')}
          </Link>
        )}
      </div>
    </section>
  )
}
