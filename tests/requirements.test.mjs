/** Every test that tests/requirements.md names exists, and every id is one of the requirements' form. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const table = readFileSync(path.join(root, 'tests/requirements.md'), 'utf8')
const lines = table.split('\n').filter((line) => line.startsWith('- '))

/** The tests that a file holds, as patterns of their names. */
function testsIn(file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  if (file.endsWith('.rs')) {
    const found = [...text.matchAll(/\bfn (\w+)\s*\(/g)].map((match) => match[1])
    return found.map((name) => new RegExp(`^${name}$`))
  }
  if (file.endsWith('.sh')) {
    return [...text.matchAll(/^check (\w+) /gm)].map((match) => new RegExp(`^${match[1]}$`))
  }
  const titles = [...text.matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map((match) => match[2])
  return titles.map((title) => {
    const parts = title.replace(/\\(.)/g, '$1').split(/\$\{[^}]*\}/)
    return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
  })
}

test('the table names tests', () => assert.ok(lines.length > 0))

for (const line of lines) {
  test(line.slice(2, 100), () => {
    const match =
      /^- ([A-Z]{1,2}-(?:\d{1,2}[A-Z]?|[A-Z])(?:, [A-Z]{1,2}-\d{1,2}[A-Z]?)*) (\S+?)::(.+?) — (.+)$/.exec(
        line,
      )
    assert.ok(match, 'not of the form "- ID, ID file::test — what"')
    const [, , file, name] = match
    assert.ok(existsSync(path.join(root, file)), `${file} does not exist`)
    assert.ok(
      testsIn(file).some((pattern) => pattern.test(name)),
      `${file} has no test "${name}"`,
    )
  })
}
