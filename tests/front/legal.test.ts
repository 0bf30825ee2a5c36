/** SC-09: a text that guests agree to has a version, the same in every language; another text is another version. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

declare const PROJECT_ROOT: string

/** A changed text gets the version of the day, in all languages; both are noted here. */
const KNOWN = {
  privacy: ['2026-11-26', '459fda6dd9ad55cb'],
  terms: ['2026-11-26', '61f1ad717051af12'],
} as const

test('each text that guests agree to is the one of its version, in every language', () => {
  for (const [doc, known] of Object.entries(KNOWN)) {
    const hash = createHash('sha256')
    for (const lang of ['kk', 'ru', 'en', 'ka']) {
      const file = join(PROJECT_ROOT, `server/features/help/texts/${doc}/${lang}.json`)
      const { version, ...text } = JSON.parse(readFileSync(file, 'utf8'))
      assert.equal(version, known[0], `${doc} in ${lang}`)
      hash.update(JSON.stringify(text))
    }
    assert.deepEqual([known[0], hash.digest('hex').slice(0, 16)], known, `${doc} says something else now`)
  }
})
