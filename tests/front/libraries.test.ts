/** React and the router are bundled as they are, only without what is not imported. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { asModule, withoutEffects } from '../../components/build/libraries.mjs'

declare const PROJECT_ROOT: string

const file = (name: string) => join(PROJECT_ROOT, 'node_modules', name)

for (const name of ['react/cjs/react.production.js', 'scheduler/cjs/scheduler.production.js']) {
  test(`${name} exports as a module what it exports otherwise`, async () => {
    const source = asModule(readFileSync(file(name), 'utf8'))
    const module: object = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    const { default: plain }: { default: object } = await import(pathToFileURL(file(name)).href)
    assert.deepEqual(Object.keys(module).sort(), Object.keys(plain).sort())
    for (const [key, value] of Object.entries(plain)) {
      const own: unknown = Reflect.get(module, key)
      assert.equal(typeof own, typeof value, key)
      if (typeof value !== 'function' && typeof value !== 'object') assert.equal(own, value, key)
    }
  })
}

test('what is required is imported by name, what is set once can go, what is set again stays', () => {
  const source = [
    'var A = require("a"),',
    '  B = require("b");',
    'exports.once = A.x;',
    'exports.twice = 1;',
    'if (B.y) exports.twice = 2;',
  ].join('\n')
  assert.deepEqual(asModule(source).split('\n').filter(Boolean), [
    'var exports_twice',
    'import * as A from "a"',
    'import * as B from "b"',
    'var exports_once = A.x;',
    'exports_twice = 1;',
    'if (B.y) exports_twice = 2;',
    'export { exports_once as once, exports_twice as twice }',
  ])
})

test('a module that is written otherwise ends the build', () => {
  assert.throws(() => asModule('module.exports = require("./a")'))
  assert.throws(() => asModule('const x = require("x")'))
  assert.throws(() => asModule('Object.assign(exports, {})'))
})

test('what the router makes at its top is told to do nothing else', () => {
  assert.equal(
    withoutEffects(
      'const Memo = React$1.memo(Routes);\nvar All = class extends React$1.Component {\n\tstatic x = y;\n};\nContext.displayName = "Route";',
    ),
    'const Memo = /* @__PURE__ */ React$1.memo(Routes);\nvar All = /* @__PURE__ */ (() => class extends React$1.Component {\n\tstatic x = y;\n})();\n',
  )
  assert.equal(withoutEffects('  render(React$1.memo(x));'), '  render(React$1.memo(x));')
})
