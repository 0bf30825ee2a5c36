import { type MouseEvent, useState, useSyncExternalStore } from 'react'
import { connection, watchConnection } from '../../lib/net/connection.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Lang } from '../../lib/page-data.ts'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'

type Props = {
  /** The page that a choice leads to. */
  url: string
  /** Its address at the time of the tap, where the page has written another one. */
  now?: () => string | null
  className?: string
}

/** The languages of the country, each named in itself, as real addresses: a choice is a full load (LC-25). */
export function LanguageList({ url, now, className }: Props) {
  const t = useText()
  const { lang, langs } = useShell()
  const [asked, setAsked] = useState(false)
  const offline = useSyncExternalStore(watchConnection, isOffline, () => false)

  function choose(event: MouseEvent<HTMLAnchorElement>, to: Lang): void {
    setAsked(isOffline())
    if (isOffline()) event.preventDefault()
    const own = now?.()
    if (own) event.currentTarget.href = paths.inLang(own, to)
  }

  return (
    <div className={className}>
      <ul>
        {langs.map((one) => (
          <li key={one}>
            <a
              href={paths.inLang(url, one)}
              lang={one}
              hrefLang={one}
              aria-current={one === lang || undefined}
              onClick={(event) => choose(event, one)}
            >
              {LANGUAGES[one]}
            </a>
          </li>
        ))}
      </ul>
      <p role="status">{asked && offline ? t('app.languageOffline') : ''}</p>
    </div>
  )
}

const isOffline = () => connection() === 'offline'
