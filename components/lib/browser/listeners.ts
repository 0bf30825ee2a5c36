/** Listeners to the changes of something outside of React, in the shape that `useSyncExternalStore` asks for. */
export interface Listeners<Told extends readonly unknown[] = []> {
  /** Calls the listener at every change, until the returned function is called. */
  subscribe(listener: (...told: Told) => void): () => void
  tell(...told: Told): void
}

export function createListeners<Told extends readonly unknown[] = []>(): Listeners<Told> {
  const all = new Set<(...told: Told) => void>()
  return {
    subscribe(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell(...told) {
      // One that is added or removed meanwhile is so from the next change on.
      for (const listener of [...all]) listener(...told)
    },
  }
}
