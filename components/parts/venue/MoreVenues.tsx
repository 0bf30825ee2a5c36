import { type MouseEvent, useEffect, useRef } from 'react'
import { savesData } from '../../lib/browser/saves-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import type { MoreVenues as More } from './more-venues.ts'

/** Pixels from the end at which the next page is asked for. */
const PREFETCH_MARGIN = 600

type Props = {
  more: More
  /** The first page that the document holds. */
  first: number
  address: (page: number) => string
}

/** The end of a list: a link to the next page, which with scripts comes by itself; after a failure it waits. */
export function MoreVenues({ more, first, address }: Props) {
  const t = useText()
  const end = useRef<HTMLElement>(null)
  const load = useRef(more.load)
  const { next, status, added } = more

  // The newest way to load, for an observer that is set once per page.
  useEffect(() => {
    load.current = more.load
  })

  // How far the guest has scrolled is the browser's to tell.
  useEffect(() => {
    if (!end.current || next === null || status !== 'idle' || savesData()) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load.current()
      },
      { rootMargin: `0px 0px ${PREFETCH_MARGIN}px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [next, status])

  function loadHere(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    more.load()
  }

  return (
    <nav className="pages" aria-label={t('venues.pages')} ref={end}>
      <p className="vh" role="status">
        {added > 0 && status === 'idle' ? t('venues.added', { count: added }) : ''}
      </p>
      {first > 1 ? (
        <Link className="button" data-quiet to={address(first - 1)}>
          {t('venues.previous')}
        </Link>
      ) : null}
      {next === null ? null : status === 'failed' ? (
        <p className="note" role="alert">
          {t('venues.moreFailed')}{' '}
          <Link className="link" to={address(next)} onClick={loadHere}>
            {t('app.retry')}
          </Link>
        </p>
      ) : (
        <Link
          className="button"
          data-quiet
          to={address(next)}
          onClick={loadHere}
          aria-busy={status === 'loading' || undefined}
        >
          {status === 'loading' ? t('app.loading') : t('venues.more')}
        </Link>
      )}
    </nav>
  )
}
