/** Which texts come with the entry, and the texts that come with a page or overlay: one file for each and language. */

import { keysOf } from './graph.mjs'
import { hashOf } from './hash.mjs'
import { FIRST_PAGE, PUBLIC_PATH } from './settings.mjs'

/**
 * What the browser gets of the complete catalogues: at once what the modules of every page and of the first one name
 * (`core`), and what each other page or overlay adds to that (`views[id]`). A module of every page that puts a key together,
 * such as `errors.` and a code, means those of `locales` and of the page that is shown: a code that one page alone can come
 * back with has its text in that page's folder, and comes with it.
 */
export function splitTexts(root, { catalogues, graph, owners }) {
  const everything = Object.keys(Object.values(catalogues)[0])
  const { coreKeys, viewKeys } = keysFor(root, { graph, everything, owners })
  const pick = (keys) => {
    const picked = everything.filter((key) => keys.has(key))
    return Object.fromEntries(
      Object.entries(catalogues).map(([lang, catalogue]) => [
        lang,
        Object.fromEntries(picked.map((key) => [key, catalogue[key]])),
      ]),
    )
  }
  const views = {}
  for (const [id, keys] of Object.entries(viewKeys)) if (keys.size > 0) views[id] = pick(keys)
  return { core: pick(coreKeys), views }
}

/** While nothing but words changes, the keys are the same. */
let known = null

function keysFor(root, { graph, everything, owners }) {
  const of = JSON.stringify([graph, everything, owners])
  if (known?.of !== of) {
    const keysIn = keysOf(root, everything)
    const core = new Set([...graph.entry, ...graph.views[FIRST_PAGE]])
    const takesFor = (id) => (file, key) => !core.has(file) || [undefined, id].includes(owners[key])
    const coreKeys = keysIn(core, takesFor(FIRST_PAGE))
    const viewKeys = Object.fromEntries(
      Object.entries(graph.views).map(([id, files]) => [
        id,
        keysIn(files, takesFor(id)).difference(coreKeys),
      ]),
    )
    known = { of, coreKeys, viewKeys }
  }
  return known
}

/**
 * The files, their names for the manifest, and the modules that the browser has of them. While developing these do
 * not depend on the words and ask the document where they stand: a changed word bundles nothing (`early`).
 */
export function buildTexts({ core, views }, { views: all, dev }) {
  const prefix = `texts-${hashOf(JSON.stringify(dev ? [core, views] : views))}-`
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
  const without = JSON.stringify(all.filter((id) => !(id in views)))
  const address = JSON.stringify(PUBLIC_PATH + prefix)
  const place = dev ? 'globalThis.__texts' : address
  const sources = { 'build:texts': `export const texts = { prefix: ${place}, without: ${without} }` }
  for (const [lang, catalogue] of Object.entries(core)) {
    const contents = JSON.stringify(catalogue)
    if (dev) files.push({ name: `${prefix}core-${lang}.json`, contents })
    const words = dev ? `await (await fetch(${place} + 'core-${lang}.json')).json()` : contents
    sources[`locale:${lang}`] = `export const catalogue = ${words}`
  }
  return { files, names, sources, early: dev ? `;__texts=${address}` : '' }
}
