import { useSyncExternalStore } from 'react'
import { isPoor, watchConnection } from '../lib/net/connection.ts'
import { usePending } from '../lib/page/navigation.ts'
import { useText } from '../lib/text/text.tsx'

/** A thin line on top while the phone is offline or the network fails, and a word while a page is long on its way. */
export function Connection() {
  const t = useText()
  const late = usePending()
  const poor = useSyncExternalStore(watchConnection, isPoor, () => false)
  return (
    <p className="connection" role="status" data-poor={poor || undefined}>
      {poor ? t('app.poor') : late ? t('app.loading') : ''}
    </p>
  )
}
