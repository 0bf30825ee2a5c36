/** When a text that is being typed is looked for (SE-03, SE-04, SE-11). */

import { plain } from '../../lib/find/plain.ts'

/** Letters that an input method puts together. Keyboards of phones compose each word of other scripts as well, ours too. */
const ASSEMBLED = /[^\P{L}\p{scx=Latn}\p{scx=Cyrl}\p{scx=Geor}]/u

/** How long after the last key a search begins, milliseconds. */
export const PAUSE = 300

type Run = {
  /** The guest has paused; trimmed, never empty, never the same twice in a row. */
  paused: (text: string) => void
  /** There is no text any more: told at once. */
  emptied: () => void
}

export type Typing = {
  /** The field holds this text now. */
  changed: (text: string) => void
  /** Letters are put together: half of those of an input method would be looked for. */
  composing: () => void
  composed: (text: string) => void
  /** Something else decides now: a submit, a cancel, a page that goes. */
  stop: (text?: string) => void
}

export function createTyping({ paused, emptied }: Run): Typing {
  let timer: ReturnType<typeof setTimeout> | undefined
  let composes = false
  let last = ''

  function changed(text: string): void {
    clearTimeout(timer)
    const trimmed = plain(text).trim()
    if (trimmed === '') {
      if (last !== '') emptied()
      last = ''
      return
    }
    if ((composes && ASSEMBLED.test(trimmed)) || trimmed === last) return
    timer = setTimeout(() => {
      last = trimmed
      paused(trimmed)
    }, PAUSE)
  }

  return {
    changed,
    composing() {
      composes = true
    },
    composed(text) {
      composes = false
      changed(text)
    },
    stop(text) {
      clearTimeout(timer)
      if (text !== undefined) last = plain(text).trim()
    },
  }
}
