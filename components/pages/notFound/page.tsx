import { useEffect, useState } from 'react'
import { type RecentMenu, recentMenus } from '../../lib/browser/recent-menus.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { NotFoundPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { paths } from '../../paths.ts'
import { Signpost } from './Signpost.tsx'
import './notFound.css'

export const title: PageTitle<'notFound'> = (_, t) => t('head.notFound.title')

type Props = { data: NotFoundPage }

/** A real 404 that says what is not there and leads on. */
export function Page({ data }: Props) {
  const t = useText()
  const { kiosk, home } = useShell()
  const [recent, setRecent] = useState<RecentMenu>()
  // Storage is the browser's: the server does not know it, so it is looked at after the first render. The menu may have been
  // opened in another language.
  useEffect(() => {
    const [recent] = recentMenus()
    if (!recent) return
    const stop = new AbortController()
    nameOf(recent, stop.signal).then(
      (name) => setRecent({ ...recent, name }),
      () => stop.signal.aborted || setRecent(recent),
    )
    return () => stop.abort()
  }, [])
  return (
    <Empty
      page
      scene={<Signpost />}
      title={t.maybe(`notFound.${data.what}`) ?? t('notFound.page')}
      text={t.maybe(`notFound.${data.what}Text`) ?? t('notFound.text')}
    >
      <div className="tools">
        <SearchField action={paths.search()} />
      </div>
      {data.what === 'table' && data.menu && !kiosk ? (
        // A page of its own: only its document may use the camera.
        <a className="button" href={paths.barcodeScanner(data.menu, { table: 1 })}>
          {t('barcode.scan')}
        </a>
      ) : null}
      {data.menu ? (
        <Link
          className="button"
          // Whoever sits at a table scans its code first.
          data-quiet={data.what === 'table' && !kiosk ? '' : undefined}
          to={paths.menu(data.menu)}
        >
          {t('notFound.menu')}
        </Link>
      ) : null}
      {data.menu && paths.menu(data.menu) === home ? null : (
        <Link className="button" data-quiet={data.menu ? '' : undefined} to={home}>
          {t('app.toHome')}
        </Link>
      )}
      {recent && recent.id !== data.menu && paths.menu(recent.id) !== home ? (
        <Link className="link" to={paths.menu(recent.id)}>
          {t('notFound.recent', { name: recent.name })}
        </Link>
      ) : null}
    </Empty>
  )
}

/** What the venue is called in the language of the page, as far as the server tells it. */
async function nameOf({ id, name }: RecentMenu, signal: AbortSignal): Promise<string> {
  const answer = await fetchPage(paths.details(id), { signal, prefetch: true })
  if (answer.kind !== 'page') return name
  const { data } = answer.data.page
  return 'venue' in data && typeof data.venue === 'object' && data.venue ? data.venue.name : name
}
