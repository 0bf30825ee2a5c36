/** What the server keeps of menus between renders: the shared part of their data, never a guest's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFragmentCache } from '../../components/lib/page/fragments.ts'
import type { Category, MenuPage, PageData } from '../../components/lib/page-data.ts'
import { samplePages } from '../../components/pages/samples.ts'

const MENU = samplePages().find(({ data }) => data.page.route === 'menu')?.data
assert.ok(MENU?.page.route === 'menu')
const { categories: CATEGORIES } = MENU.page.data

/** The data of a menu without its categories, as the engine hands it over. */
const json = (change: Partial<MenuPage> = {}, origin = 'https://one.test') => {
  assert.ok(MENU?.page.route === 'menu')
  const page = { ...MENU.page, data: { ...MENU.page.data, categories: null, ...change } }
  return JSON.stringify({ ...MENU, shell: { ...MENU.shell, origin }, page })
}

/** A cache beside an engine that has these categories by their names, 1 and up. */
function start(...menus: readonly (readonly Category[])[]) {
  const state = { asked: 0, name: 0, kept: [] as string[] }
  const cache = createFragmentCache({
    shared() {
      state.asked++
      return JSON.stringify(menus[state.name - 1])
    },
    insert: (html) => state.kept.push(html),
    clear() {
      state.kept.length = 0
    },
  })
  const read = (name: number, text = json()) => {
    state.name = name
    return cache.read(text, name)
  }
  return { cache, state, read }
}

const menuOf = ({ data }: { data: PageData }) => {
  assert.ok(data.page.route === 'menu')
  return data.page.data
}

test('the categories of a menu are asked for and parsed once for all guests, and are frozen', () => {
  const { read, state } = start(CATEGORIES)
  const [one, other] = [read(1), read(1, json({}, 'https://other.test'))]
  assert.equal(state.asked, 1)
  assert.equal(menuOf(one).categories, menuOf(other).categories)
  assert.equal(one.data.shell.origin, 'https://one.test')
  assert.equal(other.data.shell.origin, 'https://other.test')
  assert.deepEqual(one.data, JSON.parse(json({ categories: CATEGORIES })))
  const [category] = menuOf(one).categories
  assert.ok(category)
  assert.throws(() => category.products.reverse(), TypeError)
  assert.throws(() => Object.assign(category.products[0] ?? {}, { price: 1 }), TypeError)
})

test('another price is another menu', () => {
  const dearer = CATEGORIES.map((one) => ({
    ...one,
    products: one.products.map((p) => ({ ...p, price: 7 })),
  }))
  const { read } = start(CATEGORIES, dearer)
  const before = menuOf(read(1)).categories
  const after = menuOf(read(2)).categories
  assert.notEqual(after, before)
  assert.equal(after[0]?.products[0]?.price, 7)
})

test('what looks like a placeholder is not shared, nor is a page without a shared part', () => {
  const marked = [{ id: 1, name: 'a\u0001=0\u0002', photos: false, products: [] }]
  const { read } = start(CATEGORIES, marked)
  assert.equal(read(1).isShared, true)
  assert.equal(read(1, json({ rev: 'a\u0001=0\u0002' })).isShared, false)
  assert.equal(read(2).isShared, false)
  assert.deepEqual(menuOf(read(2)).categories, marked)
  for (const { data } of samplePages()) {
    const { isShared, data: whole } = read(0, JSON.stringify(data))
    assert.equal(isShared, false)
    assert.deepEqual(whole, JSON.parse(JSON.stringify(data)))
  }
})

test('of menus and their HTML so much is kept and no more, by the engine too', () => {
  const long = 'плов '.repeat(50_000)
  const others = Array.from({ length: 9 }, (_, id) => [{ id, name: long, photos: false, products: [] }])
  const { cache, read, state } = start(CATEGORIES, ...others)
  const first = menuOf(read(1)).categories
  assert.equal(menuOf(read(1)).categories, first)
  for (let at = 0; at < 9; at++) cache.set(first, String(at), 'x'.repeat(1_000_000))
  assert.equal(cache.get(first, '8'), 9)
  cache.set(first, '8', 'the same, twice on a page')
  assert.equal(state.kept.length, 9)
  assert.notEqual(menuOf(read(1)).categories, first)
  assert.equal(cache.get(first, '0'), undefined)
  assert.equal(state.kept.length, 0)
  const next = menuOf(read(1)).categories
  for (let at = 0; at < 9; at++) read(2 + at)
  assert.notEqual(menuOf(read(1)).categories, next)
})
