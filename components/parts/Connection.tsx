import { useSyncExternalStore } from 'react'
import { usePending } from '../lib/navigation.ts'
import { useText } from '../lib/text.tsx'

/** A thin line on top while the phone is offline, and a word while a page is long on its way. */
export function Connection() {
  const t = useText()
  const late = usePending()
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <p className="connection" role="status" data-poor={!online || undefined}>
      {online ? (late ? t('app.loading') : '') : t('app.poor')}
    </p>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
