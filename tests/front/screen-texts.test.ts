/** The texts of a screen come with the screen: whoever uses a text has it at hand. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

declare const PROJECT_ROOT: string

type Inputs = Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>

const load = (file: string) => import(pathToFileURL(join(PROJECT_ROOT, file)).href)

test('TX-A each screen finds its texts among the core and its own', async () => {
  const { PIECES, SCREENS } = await load('components/build/route-files.mjs')
  const { commonOptions } = await load('components/build/bundles.mjs')
  const { loadMessages } = await load('components/build/messages.mjs')
  const esbuild = await load('node_modules/esbuild/lib/main.js')
  const { parts } = loadMessages(join(PROJECT_ROOT, 'components'))
  const core = Object.keys(parts.core.kk)
  const all = Object.values<{ kk: object }>(parts.screens).flatMap(({ kk }) => Object.keys(kk))
  const everything = [...core, ...all]
  const screens = Object.entries(SCREENS).map(([route]) => [route, `components/pages/${route}/page.tsx`])
  // A piece stands over its screen, whose texts are there.
  const pieces = Object.entries<{ over: string; file: string }>(PIECES)
  for (const [id, { file }] of pieces) screens.push([id, file])
  const under = Object.fromEntries(pieces.map(([id, { over }]) => [id, over]))

  const { metafile } = await esbuild.build({
    ...commonOptions({ root: PROJECT_ROOT, catalogues: parts.core, sprite: '', styles: {} }),
    entryPoints: ['components/entry.client.tsx', ...screens.map(([, file]) => file)],
    outdir: 'x',
    format: 'esm',
    splitting: true,
  })

  const missing: string[] = []
  for (const [route, file] of [['', 'components/entry.client.tsx'], ...screens] as [string, string][]) {
    const own = [route, under[route] ?? ''].flatMap((id) => Object.keys(parts.screens[id]?.kk ?? {}))
    const known = new Set([...core, ...own])
    for (const source of sourcesOf(metafile.inputs, file, route !== '')) {
      for (const key of keysIn(readFileSync(join(PROJECT_ROOT, source), 'utf8'), everything)) {
        if (!known.has(key)) missing.push(`${source} needs ${key} on ${route || 'every page'}`)
      }
    }
  }
  assert.deepEqual(missing, [])
})

/** The files of ours that come with `file`: of the entry only what it imports at once, of a screen also what it adds later. */
function sourcesOf(inputs: Inputs, file: string, later: boolean): string[] {
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path) || !inputs[path]) return
    found.add(path)
    for (const next of inputs[path].imports) {
      if (!next.external && (later || next.kind !== 'dynamic-import')) visit(next.path)
    }
  }
  visit(file)
  return [...found].filter((path) => path.startsWith('components/') && !path.endsWith('.gen.ts'))
}

/** Whole keys, and for a key that is put together all that begin like it. Head texts are looked up by route. */
function keysIn(source: string, everything: string[]): string[] {
  const literals = [...source.matchAll(/['`]([a-zA-Z]+\.[\w.]*)(\$\{[^`]*)?['`]/g)]
  return literals.flatMap(([, start = '', rest]) =>
    everything.filter((key) => (rest ? key.startsWith(start) : key === start)),
  )
}
