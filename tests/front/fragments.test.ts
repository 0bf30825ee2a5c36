/** What the server keeps of menus between renders: the shared part of their data, never a guest's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from '../../components/lib/page/fragments.ts'
import type { MenuPage } from '../../components/lib/page-data.ts'
import { samplePages } from '../../components/pages/samples.ts'

const MENU = samplePages().find(({ data }) => data.page.route === 'menu')?.data
assert.ok(MENU?.page.route === 'menu')

const json = (change: Partial<MenuPage> = {}, origin = 'https://one.test') => {
  assert.ok(MENU?.page.route === 'menu')
  const page = { ...MENU.page, data: { ...MENU.page.data, ...change } }
  return JSON.stringify({ ...MENU, shell: { ...MENU.shell, origin }, page })
}

const menuOf = ({ data }: ReturnType<ReturnType<typeof createMemory>['read']>) => {
  assert.ok(data.page.route === 'menu')
  return data.page.data
}

test('the categories of a menu are parsed once for all guests, and nobody can write into them', () => {
  const memory = createMemory()
  const [one, other] = [memory.read(json()), memory.read(json({}, 'https://other.test'))]
  assert.equal(menuOf(one).categories, menuOf(other).categories)
  assert.equal(one.data.shell.origin, 'https://one.test')
  assert.equal(other.data.shell.origin, 'https://other.test')
  assert.deepEqual(one.data, JSON.parse(json()))
  const [category] = menuOf(one).categories
  assert.ok(category)
  assert.throws(() => category.products.reverse(), TypeError)
  assert.throws(() => Object.assign(category.products[0] ?? {}, { price: 1 }), TypeError)
})

test('another price is another menu', () => {
  const memory = createMemory()
  const before = menuOf(memory.read(json())).categories
  const dearer = before.map((one) => ({ ...one, products: one.products.map((p) => ({ ...p, price: 7 })) }))
  const after = menuOf(memory.read(json({ categories: dearer }))).categories
  assert.notEqual(after, before)
  assert.equal(after[0]?.products[0]?.price, 7)
})

test('what looks like a mark is not shared, nor is another page', () => {
  const memory = createMemory()
  assert.equal(memory.read(json({ rev: 'a\u0001=0\u0002' })).isShared, false)
  for (const { data } of samplePages()) {
    const { isShared, data: read } = memory.read(JSON.stringify(data))
    assert.equal(isShared, data.page.route === 'menu', data.page.route)
    assert.deepEqual(read, JSON.parse(JSON.stringify(data)))
  }
})

test('names of fields that a guest posts are no boundaries', () => {
  const memory = createMemory()
  for (const values of ['{"categories":["a"]}', '{"categories":["a"],"lists":["b"]}']) {
    const forged = json().replace('"shell":{', `"shell":{"values":${values},`)
    assert.notEqual(forged, json())
    assert.deepEqual(memory.read(forged).data, JSON.parse(forged))
  }
})

test('lists that stand for a menu that did not come may be of one guest: they are not shared', () => {
  assert.equal(createMemory().read(json({ failed: true })).isShared, false)
})

test('of menus and their HTML so much is kept and no more', () => {
  const memory = createMemory()
  const first = menuOf(memory.read(json())).categories
  assert.equal(menuOf(memory.read(json())).categories, first)
  for (let at = 0; at < 9; at++) memory.keep(first, String(at), 'x'.repeat(1_000_000))
  assert.notEqual(menuOf(memory.read(json())).categories, first)
  assert.equal(memory.find(first, '0'), undefined)
  const next = menuOf(memory.read(json())).categories
  const long = 'плов '.repeat(50_000)
  for (let at = 0; at < 9; at++) {
    memory.read(json({ categories: [{ id: at, name: long, photos: false, products: [] }] }))
  }
  assert.notEqual(menuOf(memory.read(json())).categories, next)
})
