/** `node components/build/messages.mjs`: writes `messages.gen.ts` anew and tells what is wrong with the texts. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileTexts, messageTypes, readTexts } from './catalogues.mjs'

/** The compiled texts; `messages.gen.ts` follows them unless it is only to be looked at. */
export function loadMessages(components, { write = true } = {}) {
  const { texts, problems, owners } = readTexts(components)
  const compiled = compileTexts(texts)
  const file = join(components, 'lib/text/messages.gen.ts')
  const types = messageTypes(compiled.placeholders)
  if (write && readFileSync(file, 'utf8') !== types) writeFileSync(file, types)
  return {
    catalogues: compiled.catalogues,
    problems: [...problems, ...compiled.problems],
    owners,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { problems } = loadMessages(join(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
