/**
 * Which modules and style sheets the entry, each page and each overlay need: worked out from what they import. The
 * texts and the styles of a page follow from it, so they are not listed by hand.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './contexts.mjs'
import { ENTRY } from './settings.mjs'

const SERVER_ENTRY = 'components/entry.server.tsx'

/** Pages and overlays by their ids, with the module that each begins with. */
export function viewFiles({ pages, overlays }) {
  return Object.fromEntries([
    ...pages.map((id) => [id, `components/pages/${id}/page.tsx`]),
    ...overlays.map((id) => [id, `components/overlays/${id}/overlay.tsx`]),
  ])
}

/**
 * `entry`, `server` and `views[id]`: the files of ours that each needs, at once or later, the imported before the
 * importing. A page or overlay that is fetched by its id is not part of what fetches it.
 */
export async function readGraph(root, folders, contexts = null) {
  const files = viewFiles(folders)
  const { metafile } = await bundle(contexts, {
    absWorkingDir: root,
    entryPoints: [ENTRY, SERVER_ENTRY],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'graph',
    format: 'esm',
    splitting: true,
    packages: 'external',
    jsx: 'automatic',
    loader: { '.css': 'empty' },
    external: ['build:*', 'locale:*'],
    logLevel: 'warning',
  })
  const starts = new Set(Object.values(files))
  const reach = (start) => {
    const found = new Set()
    const visited = new Set()
    const visit = (path) => {
      if (visited.has(path)) return
      visited.add(path)
      for (const next of metafile.inputs[path]?.imports ?? []) {
        if (!next.external && !(start === ENTRY && starts.has(next.path))) visit(next.path)
      }
      found.add(path)
    }
    visit(start)
    return [...found]
  }
  return {
    entry: reach(ENTRY),
    server: reach(SERVER_ENTRY),
    views: Object.fromEntries(Object.entries(files).map(([id, file]) => [id, reach(file)])),
  }
}

export const isSheet = (file) => file.endsWith('.css')

/**
 * Tells the keys that modules name: whole ones, and for one that is put together all that begin like it and that `takes`
 * agrees to.
 */
export function keysOf(root, everything) {
  const all = new Set(everything)
  const known = new Map()
  const keysIn = (file) => {
    const whole = new Set()
    const begun = new Set()
    for (const [, start = '', rest] of readFileSync(join(root, file), 'utf8').matchAll(LITERAL)) {
      if (!rest && all.has(start)) whole.add(start)
      if (rest) for (const key of everything) if (key.startsWith(start)) begun.add(key)
    }
    return { whole, begun }
  }
  return (files, takes = () => true) => {
    const found = new Set()
    for (const file of files) {
      if (!/\.tsx?$/.test(file) || file.endsWith('.gen.ts')) continue
      if (!known.has(file)) known.set(file, keysIn(file))
      const { whole, begun } = known.get(file)
      for (const key of whole) found.add(key)
      for (const key of begun) if (takes(file, key)) found.add(key)
    }
    return found
  }
}

const LITERAL = /['"`]([a-zA-Z]+\.[\w.]*)(\$\{[^`]*)?['"`]/g
