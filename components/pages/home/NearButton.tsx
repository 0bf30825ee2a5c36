import { useState } from 'react'
import type { Position } from '../../lib/browser/known-position.ts'
import { locate, type Unknown } from '../../lib/browser/position.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { Elsewhere, Rail } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'

/** The venues around the guest, and whether they are far away. */
export type NearFound = { rail: Rail | undefined; elsewhere: Elsewhere | null }

type Props = { onFound: (found: NearFound) => void }

type Status = 'idle' | 'asking' | 'found' | 'failed' | Unknown

/** The only thing on Home that asks where the guest is, and only when it is pressed. */
export function NearButton({ onFound }: Props) {
  const t = useText()
  const [status, setStatus] = useState<Status>('idle')

  async function ask(): Promise<void> {
    setStatus('asking')
    const here = await locate()
    if (typeof here === 'string') {
      setStatus(here)
      return
    }
    const found = await around(here)
    setStatus(found ? 'found' : 'failed')
    if (found) onFound(found)
  }

  return (
    <>
      <button
        type="button"
        className="chip near"
        aria-pressed={status === 'found'}
        aria-busy={status === 'asking' || undefined}
        onClick={status === 'asking' ? undefined : ask}
      >
        <Icon name="locate-fixed" />
        {t('home.near')}
      </button>
      <span className="vh" role="status">
        {status === 'found' ? t('home.nearFound') : status === 'asking' ? t('app.loading') : ''}
      </span>
      {status === 'denied' || status === 'notFound' || status === 'failed' ? (
        <p className="toast" role="alert" data-stays>
          {t(
            status === 'denied'
              ? 'place.denied'
              : status === 'failed'
                ? 'home.nearFailed'
                : 'home.nearNotFound',
          )}
          <button type="button" onClick={() => setStatus('idle')}>
            {t('app.close')}
          </button>
        </p>
      ) : null}
    </>
  )
}

async function around(near: Position): Promise<NearFound | null> {
  try {
    const answer = await fetchPage(paths.home(), { prefetch: true, near })
    if (answer.kind !== 'page' || answer.data.page.route !== 'home') return null
    const { rails, elsewhere } = answer.data.page.data
    const rail = rails.find((one) => one.kind === 'near')
    return rail?.failed ? null : { rail, elsewhere }
  } catch {
    return null
  }
}
