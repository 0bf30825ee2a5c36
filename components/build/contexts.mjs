/** Bundling, once or repeatedly: with `--stay` only what has changed is read and parsed again. */

import * as esbuild from 'esbuild'

/** What is kept between builds. `code` stays the same until a module changes (`stampOf`). */
export function createContexts() {
  return { code: '', all: new Map() }
}

/**
 * `sources` are those of `virtualModules`, which may be other ones in each round. All else in `settings` is the same as
 * long as the code is. Without `contexts` it is bundled once.
 */
export async function bundle(contexts, settings, sources = {}) {
  if (!contexts) return esbuild.build(settings)
  const name = JSON.stringify([settings.entryPoints, settings.format])
  const known = contexts.all.get(name) ?? { context: await esbuild.context(settings), sources }
  contexts.all.set(name, known)
  const of = contexts.code + JSON.stringify(sources)
  if (known.of !== of) {
    Object.assign(known.sources, sources)
    known.result = await known.context.rebuild()
    known.of = of
  }
  return known.result
}
