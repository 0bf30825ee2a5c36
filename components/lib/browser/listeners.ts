/** Listeners to the changes of something outside of React, in the shape that `useSyncExternalStore` asks for. */
export interface Listeners<Args extends readonly unknown[] = []> {
  /** Calls the listener at every change, until the returned function is called. */
  subscribe(listener: (...args: Args) => void): () => void
  tell(...args: Args): void
}

export function createListeners<Args extends readonly unknown[] = []>(): Listeners<Args> {
  const all = new Set<(...args: Args) => void>()
  return {
    subscribe(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell(...args) {
      // One that is added or removed meanwhile is so from the next change on.
      for (const listener of [...all]) listener(...args)
    },
  }
}
