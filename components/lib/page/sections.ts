/** Parts of a page that fail alone (SR-09): which of them the server gave up, and how it finds that out. */

import { createContext } from 'react'

export type Sections = {
  /** By name: those whose place holds a message. The browser begins with the same and then tries itself. */
  lost: ReadonlySet<string>
  /** A section begins; only the server listens. */
  enter?: (name: string) => void
  /** All of it is rendered. */
  leave?: (name: string) => void
  /** React is not to catch what is thrown in a boundary: the server wants to know it. */
  strict?: boolean
}

export const SectionsContext = createContext<Sections>({ lost: new Set() })

/** The section that holds all but what stands around a page. */
export const SCREEN = 'screen'

/** What was lost in a render, and why; `whole`: it was the screen. */
export type Loss = { section: string; error: string; whole: boolean }

/** A page that loses more is not worth showing. */
const MOST = 12
/** Letters of a stack: enough to find the place. */
const STACK = 600

/**
 * Renders a page of which sections may throw. React has no error boundaries on the server; a `Suspense` boundary drops
 * what is thrown in it without a word. So every section says when it begins and ends: after a render that threw, or
 * left one open, the page is rendered again until all that throw are known, and once more without them.
 *
 * Throws what is thrown outside of all sections, or in the words that stand for one.
 */
export function renderSections(render: (sections: Sections) => string): { html: string; losses: Loss[] } {
  const first = watched(render, new Map(), false)
  if (!('error' in first) && first.open.length === 0) return { html: first.html, losses: [] }
  const lost = new Map<string, string>()
  for (;;) {
    const again = watched(render, lost, true)
    if (!('error' in again)) break
    const section = again.open.at(-1)
    if (section === undefined || lost.has(section) || lost.size === MOST) throw again.error
    lost.set(section, describe(again.error))
  }
  const last = watched(render, lost, false)
  if ('error' in last) throw last.error
  return {
    html: last.html,
    losses: [...lost].map(([section, error]) => ({ section, error, whole: section === SCREEN })),
  }
}

type Watched = { open: string[] } & ({ html: string } | { error: unknown })

/** One render, and the sections that it left open, the innermost last. */
function watched(
  render: (sections: Sections) => string,
  lost: ReadonlyMap<string, string>,
  strict: boolean,
): Watched {
  const open: string[] = []
  const sections: Sections = {
    lost: new Set(lost.keys()),
    strict,
    enter: (name) => open.push(name),
    leave: (name) => open.splice(open.lastIndexOf(name), 1),
  }
  try {
    return { html: render(sections), open }
  } catch (error) {
    return { error, open }
  }
}

function describe(error: unknown): string {
  return (error instanceof Error && error.stack ? error.stack : String(error)).slice(0, STACK)
}
