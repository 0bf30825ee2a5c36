import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fold } from '../../components/lib/find/fold.ts'
import { layouts } from '../../components/lib/find/keyboards.ts'
import { marksOf } from '../../components/lib/find/marks.ts'
import { named } from '../../components/lib/find/names.ts'
import { find } from '../../components/pages/menuSearch/find.ts'
import { alike } from '../../components/pages/menuSearch/forms.ts'
import { nearest } from '../../components/pages/menuSearch/nearest.ts'

/** The server's tests read the same file. */
const cases = JSON.parse(readFileSync('tests/fixtures/finding.json', 'utf8'))

test('spellings of one word fold to one', () => {
  for (const [a, b] of cases.same) assert.equal(fold(a), fold(b), `${a} ${b}`)
  for (const [a, b] of cases.different) assert.notEqual(fold(a), fold(b), `${a} ${b}`)
})

test('a text of another keyboard is read', () => {
  for (const [typed, meant] of cases.layouts)
    assert.ok(layouts(typed).includes(meant), `${typed}: ${layouts(typed)}`)
})

test('names are found in the order of their fit', () => {
  const names = cases.found.names.map((name: string) => ({ name }))
  for (const [query, shown, want] of cases.found.cases) {
    const found = find<{ name: string }>(names, query, '')
    assert.equal(found.shown, shown, query)
    assert.deepEqual(
      found.items.map(({ name }) => name),
      want,
      query,
    )
  }
})

test('forms of a word, sections and words written as one are found', () => {
  for (const menu of cases.menus) {
    const items = menu.items.map(([name, section, text, state]: string[]) => ({
      name,
      section,
      text,
      out: state === 'out',
      meatless: state === 'meatless',
    }))
    for (const [query, want, shown = null] of menu.cases) {
      const found = find<{ name: string }>(items, query, menu.lang ?? '')
      assert.equal(found.shown, shown, query)
      assert.deepEqual(
        found.items.map(({ name }) => name),
        want,
        query,
      )
    }
  }
})

test('no everyday word is one of another line once it is folded, nor a form of one', () => {
  type Line = { same: string[]; exact?: string[]; local?: Record<string, string[]> }
  const table: Line[] = JSON.parse(readFileSync('components/pages/menuSearch/synonyms.json', 'utf8'))
  const all = table.flatMap(({ same, exact = [], local = {} }, line) =>
    [...same, ...exact, ...Object.values(local).flat()].map((word) => ({ word, line, folded: fold(word) })),
  )
  assert.ok(all.length > 100)
  for (const one of all)
    for (const other of all.filter(({ line }) => line !== one.line)) {
      assert.notEqual(one.folded, other.folded, `${one.word} ${other.word}`)
      const isForm = one.folded.length >= 5 && alike(other.folded, one.folded, 'certain')
      assert.ok(!isForm, `${one.word} ${other.word}`)
    }
})

test('a slip is mended and only what is close is offered', () => {
  for (const [query, spelling, certain] of cases.near.cases) {
    const near = nearest(cases.near.names, query, '')
    assert.deepEqual([near?.spelling ?? null, near?.certain ?? false], [spelling, certain], query)
    const found = find<{ name: string }>(
      cases.near.names.map((name: string) => ({ name })),
      query,
      '',
    )
    assert.equal(found.shown, certain ? spelling : null, query)
    const exact = find<{ name: string }>([{ name: 'Лагман' }], 'лагмна', '', true)
    assert.deepEqual(exact, { items: [], shown: null, nearest: 'лагман' })
  }
})

test('another form of a known word is meant, and none is said twice', () => {
  for (const [query, spelling, certain] of cases.meant.cases) {
    const near = nearest(cases.meant.names, query, '')
    assert.deepEqual([near?.spelling, near?.certain], [spelling, certain], query)
  }
})

test('marks stand in the text as it is written', () => {
  for (const [text, query, marks] of cases.marks)
    assert.deepEqual(marksOf(text, query), marks, `${text} ${query}`)
})

test('names are found in every spelling, and by another keyboard layout when nothing else finds them', () => {
  const towns = ['Ақтау', 'Ақтөбе', 'Алматы', 'Қарағанды', 'Зайсан']
  const found = (text: string) => named(towns, (town) => town, text)
  for (const text of ['Ақтау', 'актау', 'АКТАУ', 'aktau', 'frnfe'])
    assert.deepEqual(found(text), ['Ақтау'], text)
  assert.deepEqual(found('караганд'), ['Қарағанды'])
  assert.deepEqual(found('  '), towns)
  assert.deepEqual(found('zzzz'), [], 'no single letter of another layout')
  assert.deepEqual(found('nfe'), [], 'nothing that is inside of a name by another layout')
  assert.deepEqual(found('!?'), [])
  assert.deepEqual(found('ъъъййй'), [], 'no single sound that is left of a word')
  assert.deepEqual(
    named(['Ақтау', 'Frn'], (name) => name, 'frn'),
    ['Frn'],
  )
})
