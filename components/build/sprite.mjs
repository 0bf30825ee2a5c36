/** The icon sprite: the signs of `ui/icons.json` out of lucide-static, each as one symbol. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './hash.mjs'

export function buildSprite(root) {
  const names = JSON.parse(readFileSync(join(root, 'components/ui/icons.json'), 'utf8'))
  const symbols = names.toSorted().map((name) => symbolOf(root, name))
  const contents = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
  return { name: `sprite-${hashOf(contents)}.svg`, contents }
}

function symbolOf(root, name) {
  const file = join(root, 'node_modules/lucide-static/icons', `${name}.svg`)
  if (!existsSync(file)) throw new Error(`icons.json names "${name}", which lucide-static does not have`)
  const text = readFileSync(file, 'utf8')
  const inner = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(text)?.[1] ?? ''
  const shapes = inner.replace(/\s*\n\s*/g, '')
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shapes}</symbol>`
}
