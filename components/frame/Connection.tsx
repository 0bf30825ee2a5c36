import { useContext, useSyncExternalStore } from 'react'
import type { Mutations } from '../lib/mutations/mutations.ts'
import { MutationsContext } from '../lib/mutations/use-mutation.ts'
import { connection, type Connection as State, watchConnection } from '../lib/net/connection.ts'
import { usePending } from '../lib/page/navigation.ts'
import { useWay } from '../lib/router/use-navigation.ts'
import { useText } from '../lib/text/text.tsx'

/** Only scripts show it: first documents go without its style. */
const BAR = {
  position: 'absolute',
  inset: 'auto 0 0',
  blockSize: '0.1875rem',
  background: 'var(--accent)',
} as const

/** The server can't know the browser's connection. */
type Known = State | 'unknown'

/**
 * A line above the header while the phone is offline or answers do not come, and a thin bar at its edge while a page is
 * long on its way. Neither covers anything. It also says what becomes of what the guest has just sent. Before
 * hydration the early script shows the words that wait here.
 */
export function Connection() {
  const t = useText()
  const late = usePending()
  const { coming, reloading } = useWay()
  const connected = useSyncExternalStore<Known>(watchConnection, connection, () => 'unknown')
  const mutations = useContext(MutationsContext)
  const fate = useSyncExternalStore(
    mutations.subscribe,
    () => fateOf(mutations),
    () => null,
  )
  // Where nothing is tried again the form or the page itself says what became of it.
  const isOver = connected === 'slow' && !fate && !coming && !reloading
  const state = isOver ? 'fine' : connected
  if (state === 'unknown')
    return (
      <p className="connection" role="status">
        <span className="off">{t('app.offline')}</span>
      </p>
    )
  const isFine = state === 'fine'
  return (
    <p
      className="connection"
      role="status"
      data-poor={isFine ? undefined : ''}
      data-late={late || undefined}
      style={late ? BAR : undefined}
    >
      {!isFine ? (
        t(`app.${(state !== 'slow' && state !== 'lost' && fate) || state}`)
      ) : late ? (
        <span className="vh">{t('app.loading')}</span>
      ) : (
        ''
      )}
    </p>
  )
}

/** What becomes of what is on its way: quantities wait for a network, everything else is tried for a while. */
function fateOf({ lanes }: Mutations): 'kept' | 'trying' | null {
  const all = [...lanes.values()]
  if (all.some(({ queue, waits }) => waits && queue.some(waits))) return 'kept'
  return all.some(({ queue }) => queue.length > 0) ? 'trying' : null
}
