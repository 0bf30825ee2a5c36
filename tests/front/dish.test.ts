/** AT-05, AT-06, AT-08, MN-18: what the sheet of a dish says and keeps, apart from the page around it. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import { createCartStore } from '../../components/lib/cart/store.ts'
import { createMutations } from '../../components/lib/mutations/mutations.ts'
import type { DishSheet, Lang, MenuPage, OptionGroup, PageData } from '../../components/lib/page-data.ts'
import { errorText } from '../../components/lib/text/errors.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { choose, firstChoice, missing, priceOf } from '../../components/overlays/dish/dish-choice.ts'
import { draftOf, dropDraft, keepDraft } from '../../components/overlays/dish/dish-draft.ts'
import { overlayLoaders } from '../../components/pages/browser.gen.ts'
import { dishLost, withDish, withoutDish } from '../../components/pages/menu/overlays/dish.ts'
import { samplePages } from '../../components/pages/samples.ts'
import { createLoad } from '../../components/pages/strategy.ts'

declare const PROJECT_ROOT: string

const { catalogues } = compileTexts(readTexts(join(PROJECT_ROOT, 'components')).texts)

function option(id: number, price = 0): OptionGroup['options'][number] {
  return { id, name: `o${id}`, price, max: 9, out: false }
}

function sheetOf(group: Partial<OptionGroup>): DishSheet {
  const options = [1, 2, 3].map((id) => option(id, id * 100))
  return {
    product: { id: 7, name: 'Лағман', price: 100_000 },
    sizes: null,
    groups: [{ id: 5, name: 'g', min: 0, max: 3, options, ...group }],
    selected: {},
    selectedSize: null,
    minutes: null,
    line: null,
    failed: false,
  }
}

test('AT-06 too few choices are told with the minimum of the group, by the plural rules of the language', () => {
  const said = (lang: Lang, min: number) => {
    const [error] = missing(sheetOf({ min, max: 99 }), firstChoice(sheetOf({}), null))
    assert.ok(error)
    return errorText(createText(lang, catalogues[lang] ?? {}), error)
  }
  assert.deepEqual(
    [1, 2, 5, 11, 21, 22].map((min) => said('ru', min)),
    [
      'Выберите как минимум 1 вариант',
      'Выберите как минимум 2 варианта',
      'Выберите как минимум 5 вариантов',
      'Выберите как минимум 11 вариантов',
      'Выберите как минимум 21 вариант',
      'Выберите как минимум 22 варианта',
    ],
  )
  // The texts that the specification gives; the noun after a number is the same for every number there.
  assert.deepEqual([said('kk', 1), said('kk', 3)], ['Кем дегенде 1 таңдаңыз', 'Кем дегенде 3 таңдаңыз'])
  assert.deepEqual([said('en', 1), said('en', 3)], ['Select at least 1', 'Select at least 3'])
  assert.deepEqual([said('ka', 1), said('ka', 3)], ['აირჩიეთ მინიმუმ 1', 'აირჩიეთ მინიმუმ 3'])
})

test('TX-09 too many choices are told with the maximum of the group', () => {
  const dish = sheetOf({ max: 3 })
  const [group] = dish.groups
  assert.ok(group)
  const [error] = missing(dish, choose(group, 1, 4, firstChoice(dish, null)))
  assert.ok(error)
  const said = (lang: Lang) => errorText(createText(lang, catalogues[lang] ?? {}), error)
  assert.deepEqual((['kk', 'ru', 'en', 'ka'] as const).map(said), [
    'Ең көбі таңдалды: 3',
    'Выбрано максимальное количество позиций: 3',
    'You have chosen the maximum number of positions: 3',
    'არჩეულია პოზიციების მაქსიმალური რაოდენობა: 3',
  ])
})

test('AT-08 pieces of an option count towards the maximum and cost each', () => {
  const dish = sheetOf({ max: 3 })
  const group = dish.groups[0]
  assert.ok(group)
  const two = choose(group, 2, 2, firstChoice(dish, null))
  assert.deepEqual(missing(dish, two), [])
  assert.equal(priceOf(dish, { ...two, quantity: 3 }), 3 * (100_000 + 2 * 200))
  const four = choose(group, 1, 2, two)
  assert.deepEqual(missing(dish, four), [{ field: 'group.5', code: 'max', values: { count: 3 } }])
})

test('MN-18 what sells out while it is chosen is missing, and counts for nothing', () => {
  const bare = sheetOf({ min: 1, max: 2 })
  const sizes = [1, 2].map((id) => ({ id, name: `s${id}`, price: 100_000 * id, out: false }))
  const dish = { ...bare, sizes, selectedSize: 2 }
  const [group] = dish.groups
  assert.ok(group)
  const chosen = choose(group, 2, 1, choose(group, 1, 1, firstChoice(dish, null)))
  assert.deepEqual(missing(dish, chosen), [])
  const options = group.options.map((one) => ({ ...one, out: one.id === 2 }))
  const soldOut: DishSheet = {
    ...dish,
    sizes: sizes.map((one) => ({ ...one, out: one.id === 2 })),
    groups: [{ ...group, options }],
  }
  assert.deepEqual(missing(soldOut, chosen), [
    { field: 'size', code: 'gone', values: {} },
    { field: 'group.5', code: 'gone', values: {} },
  ])
  assert.equal(priceOf(soldOut, chosen), 200_000 + 100)
  const other = choose(group, 2, 0, { ...chosen, size: 1 })
  assert.deepEqual(missing(soldOut, other), [])
  assert.deepEqual(missing(soldOut, choose(group, 1, 0, other)), [
    { field: 'group.5', code: 'min', values: { count: 1 } },
  ])
  assert.deepEqual(missing({ ...dish, groups: [] }, { ...chosen, size: null }), [
    { field: 'size', code: 'required', values: {} },
  ])
})

test('a draft holds only what can still be had', () => {
  Object.defineProperty(globalThis, 'document', { value: { cookie: '' }, configurable: true })
  const dish = sheetOf({})
  const chosen = { size: 4, counts: { 1: 2, 2: 40, 9: 1 }, quantity: 500, note: 'x'.repeat(500) }
  keepDraft(1, dish, chosen)
  assert.equal(draftOf(2, dish), null, 'of another venue')
  const draft = draftOf(1, sheetOf({ options: [{ ...option(1), out: true }, option(2)] }))
  assert.deepEqual(draft && { ...draft, note: draft.note.length }, {
    size: null,
    counts: { 2: 9 },
    quantity: 99,
    note: 140,
  })
  dropDraft(1, dish)
  assert.equal(draftOf(1, dish), null)
})

test('a draft is kept in the browser for a day; one of a tablet is gone with its page', (t) => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
  Object.defineProperty(globalThis, 'document', { value: { cookie: '' }, configurable: true })
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  t.after(() => Reflect.deleteProperty(globalThis, 'localStorage'))
  const day = 24 * 60 * 60 * 1000
  t.mock.timers.enable({ apis: ['Date'], now: 20 * day })
  const dish = sheetOf({})
  const chosen = { size: null, counts: { 2: 1 }, quantity: 3, note: 'ащы' }
  keepDraft(1, dish, chosen)
  assert.match(kept.get('drafts') ?? '', /ащы/)
  t.mock.timers.tick(day)
  assert.deepEqual(draftOf(1, dish), chosen)
  t.mock.timers.tick(1)
  assert.equal(draftOf(1, dish), null)

  kept.clear()
  keepDraft(1, dish, chosen, true)
  assert.deepEqual(draftOf(1, dish), chosen)
  assert.equal(kept.size, 0)
  dropDraft(1, dish)
  assert.equal(draftOf(1, dish), null)
})

function menuPage(): PageData & { page: { data: MenuPage } } {
  const found = samplePages().find(({ data }) => data.page.route === 'menu')?.data
  assert.ok(found && found.page.route === 'menu')
  const page = { route: 'menu' as const, data: { ...found.page.data, dish: null } }
  return { ...found, shell: { ...found.shell, url: '/filials/1013' }, page }
}

test('AT-04 opening and closing a dish needs nothing but the menu; any other address does', () => {
  Object.defineProperty(globalThis, 'location', { value: { origin: 'http://x' }, configurable: true })
  const menu = menuPage()
  const id = menu.page.data.categories[0]?.products[0]?.id
  const opened = withDish(menu, '/filials/1013', `?item=${id}`)
  assert.equal(opened?.shell.url, `/filials/1013?item=${id}`)
  assert.equal(withDish(menu, '/filials/1013', '?item=999999'), null, 'no dish of this menu')
  assert.equal(withDish(menu, '/filials/1013', `?item=${id}&line=l1`), null, 'a line is known to the server')
  assert.equal(withDish(menu, '/filials/1023', `?item=${id}`), null, 'another venue')
  assert.ok(opened)
  assert.equal(withDish(opened, '/filials/1013', `?item=${id}`), null, 'its options are asked for')
  assert.equal(withoutDish(opened, '/filials/1013', '')?.shell.url, '/filials/1013')
  assert.equal(withoutDish(menu, '/filials/1013', ''), null, 'a menu that is asked for anew')
})

test('a dish whose code is gone opens where the server answers, to be loaded anew; without a network it does not', async (t) => {
  t.mock.method(overlayLoaders, 'dish', () => Promise.reject(new Error('gone')))
  const menu = menuPage()
  const url = `/filials/1013?item=${menu.page.data.categories[0]?.products[0]?.id}`
  const mutations = createMutations()
  /** A server that answers after that many milliseconds. */
  const open = async (after: number, signal = new AbortController().signal) => {
    const shown = { current: menu as PageData }
    const load = createLoad({
      source: {
        get: () => ({ answer: new Promise(() => {}), epoch: 0 }),
        prefetch() {},
        soon: async (_, ms) => after <= ms,
      },
      cart: createCartStore(null, mutations),
      mutations,
      build: undefined,
      shown,
      atHand: () => null,
      hash: () => '',
    })
    const { kind } = await load(url, signal, false)
    return [kind, shown.current.shell.url]
  }
  assert.deepEqual(await open(300), ['page', url])
  assert.deepEqual(await open(Infinity), ['lost', menu.shell.url])
  assert.deepEqual(await open(300, AbortSignal.abort()), ['lost', menu.shell.url], 'gone on meanwhile')
})

test('MN-18 a dish that the menu has lost is sold out, options that failed can be asked for again', () => {
  const menu = menuPage()
  const id = menu.page.data.categories[0]?.products[0]?.id
  const url = `/filials/1013?item=${id}`
  const opened = withDish(menu, '/filials/1013', `?item=${id}`)
  assert.ok(opened)
  const notFound: PageData = {
    ...menu,
    page: { route: 'notFound', data: { what: 'dish' } },
    status: 404,
  }
  const error: PageData = {
    ...menu,
    page: { route: 'error', data: { kind: 'unavailable', requestId: '' } },
    status: 503,
  }
  const lost = dishLost(opened, url, notFound)
  assert.ok(lost?.page.route === 'menu')
  const dishes = lost.page.data.categories.flatMap(({ products }) => products)
  assert.ok(dishes.filter((dish) => dish.id === id).every(({ out }) => out))
  const failed = dishLost(opened, url, error)
  assert.ok(failed?.page.route === 'menu')
  // One without choices is all there.
  const listed = menu.page.data.categories[0]?.products[0]
  assert.equal(failed.page.data.dish?.failed, listed?.options === true)
  const choosing = menu.page.data.categories[0]?.products.find(({ options }) => options)
  assert.ok(choosing, 'a dish with choices')
  const its = `?item=${choosing.id}`
  const open = withDish(menu, '/filials/1013', its)
  assert.ok(open)
  const unread = dishLost(open, `/filials/1013${its}`, error)
  assert.ok(unread?.page.route === 'menu')
  assert.equal(unread.page.data.dish?.failed, true)
  assert.equal(dishLost(opened, url, menu), null, 'a menu is an answer')
  assert.equal(dishLost(opened, '/cart', error), null, 'another page')
  assert.equal(dishLost(menu, '/filials/1013', error), null, 'no dish is open')
})
