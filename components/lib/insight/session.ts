/** The session of the analytics: a new one after 30 minutes in which the guest did nothing, however long ago it began (AN-01). */

/** Milliseconds. */
export const IDLE = 30 * 60 * 1000
/** Activity is stored at most this often, milliseconds. */
const NOTED = 60 * 1000

type StoredSession = { id: string; last: number }

type Options = {
  now: () => number
  read: () => unknown
  write: (session: StoredSession) => unknown
  /** A random id. */
  name: () => string
  /** A session begins. */
  began: () => void
}

/** The guest does something: the id of the session that it belongs to. Storage may be blocked: then it lasts as long as the page. */
export function createSession({ now, read, write, name, began }: Options): () => string {
  let own: StoredSession | undefined
  return () => {
    const at = now()
    const stored = read()
    const known = isSession(stored) ? stored : own
    // A clock that was set back begins a new one as well.
    const isOver = !known || at - known.last > IDLE || known.last - at > IDLE
    const session = isOver ? { id: name(), last: at } : known
    own = session
    if (isOver || at - session.last > NOTED) {
      own = { ...session, last: at }
      write(own)
    }
    if (isOver) began()
    return session.id
  }
}

function isSession(value: unknown): value is StoredSession {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'last' in value &&
    typeof value.last === 'number'
  )
}
