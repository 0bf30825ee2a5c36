/** Who hears of the changes of a thing outside of React, in the shape that `useSyncExternalStore` asks for. */
export interface Listeners {
  /** Calls the listener at every change, until the answer is called. */
  subscribe(listener: () => void): () => void
  tell(): void
}

export function createListeners(): Listeners {
  const all = new Set<() => void>()
  return {
    subscribe(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell() {
      for (const listener of all) listener()
    },
  }
}
