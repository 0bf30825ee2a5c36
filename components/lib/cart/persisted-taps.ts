/**
 * Changes without an answer outlive their page: the storage of a tab dies with it, and that of a webview with its app.
 * Each document keeps its own under a name of its own, and holds a lock of that name as long as it has any. So a later
 * one knows which are left behind by a document that is gone, and sends those; the server takes each id once.
 */

import { dropStored, keysOfTaps, readStored, type TapsKey, writeStored } from '../browser/storage.ts'
import { mutationId } from '../mutations/mutation-id.ts'
import type { CartStore, QueuedChange } from './store.ts'

/** What is older than this the guest no longer waits for, milliseconds. */
const OLD = 30 * 60 * 1000

type Persisted = { at: number; changes: QueuedChange[] }

/** `replayed` are those that the tab itself has handed over. Where there are no locks nothing is known of other tabs. */
export function persistTaps(cart: CartStore, replayed: readonly QueuedChange[] = []): void {
  const { locks } = navigator
  if (!locks) return
  const own: TapsKey = `taps ${mutationId()}`
  let release: (() => void) | undefined
  let asked = false

  function persist(): void {
    const changes = cart.unanswered()
    if (changes.length === 0) {
      dropStored(own)
      release?.()
      release = undefined
    } else if (release) {
      writeStored(own, { at: Date.now(), changes } satisfies Persisted)
    } else if (!asked) {
      // Nothing is kept before the lock is held: another tab would take it for left behind.
      asked = true
      void locks.request(own, hold).catch(ignore)
    }
  }

  function hold(): Promise<void> {
    asked = false
    return new Promise((resolve) => {
      release = resolve
      persist()
    })
  }

  const known = new Set([...replayed, ...cart.unanswered()].map(idOf))
  for (const key of keysOfTaps()) {
    // Granted once the document of that name is gone, or has nothing to keep any more.
    void locks
      .request(key, () => {
        const persisted = readStored(key)
        if (isPersisted(persisted) && Date.now() - persisted.at < OLD) {
          for (const change of persisted.changes) {
            if (!known.has(idOf(change))) void cart.send(change.action, new URLSearchParams(change.body))
          }
        }
        dropStored(key)
      })
      .catch(ignore)
  }
  cart.subscribe(persist)
  persist()
}

const idOf = ({ body }: QueuedChange) => new URLSearchParams(body).get('m')

function isPersisted(value: unknown): value is Persisted {
  return typeof value === 'object' && value !== null && 'at' in value && 'changes' in value
}

function ignore(): void {}
