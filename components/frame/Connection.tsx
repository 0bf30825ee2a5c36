import { useSyncExternalStore } from 'react'
import { connection, type Connection as State, watchConnection } from '../lib/net/connection.ts'
import { usePending } from '../lib/page/navigation.ts'
import { useText } from '../lib/text/text.tsx'

/**
 * A line above the header while the phone is offline or answers do not come, and a thin bar at its edge while a page is
 * long on its way. Neither covers anything.
 */
export function Connection() {
  const t = useText()
  const late = usePending()
  const state = useSyncExternalStore<State>(watchConnection, connection, () => 'fine')
  return (
    <p className="connection" role="status" data-poor={state === 'fine' ? undefined : ''}>
      {state !== 'fine' ? t(`app.${state}`) : late ? <span className="vh">{t('app.loading')}</span> : ''}
    </p>
  )
}
