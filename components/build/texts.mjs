/** The texts that come with a screen: one file per route and language under names that the browser can work out. */

import { hashOf } from './hash.mjs'
import { PUBLIC_PATH } from './route-files.mjs'

/** The files, their names for the manifest, and the source of `build:texts` for the bundles. */
export function buildTexts({ screens }) {
  const prefix = `texts-${hashOf(JSON.stringify(screens))}-`
  const names = {}
  const files = []
  for (const [route, langs] of Object.entries(screens)) {
    names[route] = {}
    for (const [lang, catalogue] of Object.entries(langs)) {
      const name = `${prefix}${route}-${lang}.json`
      names[route][lang] = name
      files.push({ name, contents: JSON.stringify(catalogue) })
    }
  }
  const address = { prefix: PUBLIC_PATH + prefix, routes: Object.keys(screens) }
  return { files, names, source: `export const texts = ${JSON.stringify(address)}` }
}
