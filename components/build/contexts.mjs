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
  const kept = contexts.all.get(name) ?? { context: await esbuild.context(settings), sources }
  contexts.all.set(name, kept)
  const of = contexts.code + JSON.stringify(sources)
  if (kept.of !== of) {
    Object.assign(kept.sources, sources)
    kept.result = await kept.context.rebuild()
    kept.of = of
  }
  return kept.result
}
