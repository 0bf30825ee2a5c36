/** Rules that hold for every style sheet and every component. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

declare const PROJECT_ROOT: string

const folder = join(PROJECT_ROOT, 'components')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({
  name,
  read: () => readFileSync(join(folder, name), 'utf8'),
}))
const sheets = files.filter(({ name }) => name.endsWith('.css'))
const scripts = files.filter(({ name }) => /\.tsx?$/.test(name))

test('LC-23 nothing is put in capitals by the styles: Georgian has no such letters in most fonts', () => {
  assert.ok(sheets.length > 20)
  for (const { name, read } of sheets) assert.doesNotMatch(read(), /text-transform/, name)
  for (const { name, read } of scripts) assert.doesNotMatch(read(), /\.toUpperCase\(|toLocaleUpperCase/, name)
})

test('UI-08 sheets become dialogs at 768 px, at most 550 px wide', () => {
  const sheet = sheets.find(({ name }) => name === join('ui', 'sheet.css'))?.read() ?? ''
  assert.match(sheet, /max-inline-size: 34\.375rem/)
  assert.match(sheet, /@media [^{]*\(min-width: 48rem\)/)
  const widths = sheets.flatMap(({ name, read }) =>
    [...read().matchAll(/\(min-width: ([\d.]+rem)\)/g)].map((match) => ({ name, width: match[1] })),
  )
  assert.ok(widths.length > 5)
  // A tablet as large as its guests begins where its larger letters do (assets/tablet.css).
  const isLarge = (one: (typeof widths)[number]) =>
    one.name === join('overlays', 'kiosk', 'kiosk.css') && one.width === '100rem'
  for (const one of widths)
    assert.ok(one.width === '48rem' || one.width === '64rem' || isLarge(one), `a breakpoint at ${one.width}`)
})

test('UI-14 no component asks for the width of the window: server and browser write the same', () => {
  for (const { name, read } of scripts)
    assert.doesNotMatch(read(), /innerWidth|matchMedia\(['"`]\(m(in|ax)-width/, name)
})

test('no word of the cart bar is cut', () => {
  const bar = sheets.find(({ name }) => name === join('frame', 'bar.css'))?.read() ?? ''
  assert.match(bar, /white-space: normal/)
  assert.doesNotMatch(bar, /overflow|nowrap/)
})

test('UI-06 a toast goes after three seconds', () => {
  const toast = sheets.find(({ name }) => name === join('ui', 'toast.css'))?.read() ?? ''
  assert.match(toast, /animation: toast 0\.2s 3s/)
  assert.match(toast, /@keyframes toast \{\s*to \{\s*opacity: 0;\s*visibility: hidden/)
  assert.match(
    toast,
    /\.toast\[data-stays\] \{[^}]*animation: none/,
    'what must be read never goes by itself',
  )
})

test('a class is styled by one sheet alone: those of the pages before are still there after a navigation', () => {
  const owners = new Map<string, Set<string>>()
  for (const { name, read } of sheets) {
    const rules = read().replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [, selectors = ''] of rules.matchAll(/([^{};]+)\{/g)) {
      for (const selector of selectors.split(',').map((one) => one.trim())) {
        if (/^\.[\w-]+$/.test(selector)) owners.set(selector, (owners.get(selector) ?? new Set()).add(name))
      }
    }
  }
  assert.ok(owners.size > 100, `${owners.size} classes`)
  assert.deepEqual(
    [...owners].filter(([, names]) => names.size > 1).map(([name, names]) => `${name}: ${[...names]}`),
    [],
  )
})
