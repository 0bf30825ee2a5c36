/** Which texts come with the entry, and the texts that come with a page or overlay: one file for each and language. */

import { keysIn } from './graph.mjs'
import { hashOf } from './hash.mjs'
import { FIRST_PAGE, PUBLIC_PATH } from './settings.mjs'

/**
 * What the browser gets of the complete catalogues: at once what the modules of every page and of the first one name
 * (`core`), and what each other page or overlay adds to that (`views[id]`).
 */
export function splitTexts(root, { catalogues, graph }) {
  const everything = Object.keys(Object.values(catalogues)[0])
  const coreKeys = keysIn(root, [...graph.entry, ...graph.views[FIRST_PAGE]], everything)
  const pick = (keys) =>
    Object.fromEntries(
      Object.entries(catalogues).map(([lang, catalogue]) => [
        lang,
        Object.fromEntries(Object.entries(catalogue).filter(([key]) => keys.has(key))),
      ]),
    )
  const views = {}
  for (const [id, files] of Object.entries(graph.views)) {
    const keys = new Set([...keysIn(root, files, everything)].filter((key) => !coreKeys.has(key)))
    if (keys.size > 0) views[id] = pick(keys)
  }
  return { core: pick(coreKeys), views }
}

/** The files, their names for the manifest, and the source of `build:texts` for the bundles. */
export function buildTexts({ views }) {
  const prefix = `texts-${hashOf(JSON.stringify(views))}-`
  const names = {}
  const files = []
  for (const [id, langs] of Object.entries(views)) {
    names[id] = {}
    for (const [lang, catalogue] of Object.entries(langs)) {
      const name = `${prefix}${id}-${lang}.json`
      names[id][lang] = name
      files.push({ name, contents: JSON.stringify(catalogue) })
    }
  }
  const address = { prefix: PUBLIC_PATH + prefix, ids: Object.keys(views) }
  return { files, names, source: `export const texts = ${JSON.stringify(address)}` }
}
