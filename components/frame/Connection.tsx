import { useSyncExternalStore } from 'react'
import { connection, type Connection as State, watchConnection } from '../lib/net/connection.ts'
import { usePending } from '../lib/page/navigation.ts'
import { useText } from '../lib/text/text.tsx'

/** Nobody asks the network while the server renders. */
type Told = State | 'unknown'

/**
 * A line above the header while the phone is offline or answers do not come, and a thin bar at its edge while a page is
 * long on its way. Neither covers anything. Until the app is alive the early script shows the words that wait here.
 */
export function Connection() {
  const t = useText()
  const late = usePending()
  const state = useSyncExternalStore<Told>(watchConnection, connection, () => 'unknown')
  if (state === 'unknown')
    return (
      <p className="connection" role="status">
        <span className="off">{t('app.offline')}</span>
      </p>
    )
  const isFine = state === 'fine'
  return (
    <p className="connection" role="status" data-poor={isFine ? undefined : ''} data-late={late || undefined}>
      {!isFine ? t(`app.${state}`) : late ? <span className="vh">{t('app.loading')}</span> : ''}
    </p>
  )
}
