/** Shown when a screen threw or its code could not be fetched. It must need nothing that may have failed. */

import { useLocation } from 'react-router'
import { useText } from './text.tsx'

export function RootError() {
  const t = useText()
  const { pathname, search } = useLocation()
  return (
    <main>
      <h1>{t('failure.title')}</h1>
      <p>{t('failure.text')}</p>
      <p>
        <a href={pathname + search}>{t('failure.reload')}</a>
      </p>
    </main>
  )
}
