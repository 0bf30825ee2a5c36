/** The path builder, and the screen that each path is expected to show. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeTable } from '../../components/lib/page-routes.ts'
import { expectedPage } from '../../components/pages/strategy.ts'
import { actions, paths, withQuery } from '../../components/paths.ts'

test('paths are built with what is set and nothing else', () => {
  assert.equal(paths.venues(), '/filials')
  assert.equal(
    paths.venues({ category: 'near', q: 'ла ман', page: 2 }),
    '/filials?category=near&q=%D0%BB%D0%B0+%D0%BC%D0%B0%D0%BD&page=2',
  )
  assert.equal(paths.venues({ category: null, q: '', page: 1 }), '/filials')
  assert.equal(paths.menu(1013), '/filials/1013')
  assert.equal(paths.menu(1013, { item: 551 }), '/filials/1013?item=551')
  assert.equal(paths.order(1013, 'o_a/b', { key: 'k&' }), '/filials/1013/order/o_a%2Fb?key=k%26')
  assert.equal(paths.inLang('/filials/1?table_id=7&lang=kk', 'ru'), '/filials/1?table_id=7&lang=ru')
  assert.equal(actions.changeLine('a b'), '/cart/lines/a%20b')
  assert.equal(withQuery('/a?x=1', { x: null }), '/a')
  // Of pages for which nothing is written by hand.
  assert.equal(paths.cookies(), '/cookies')
  assert.equal(paths.town({ back: '/a b', q: '' }), '/town?back=%2Fa+b')
  assert.equal(paths.pay({ token: 'a/b', step: 'x' }), '/pay/a%2Fb?step=x')
})

test('every address leads to its screen', () => {
  const table: [path: string, route: string][] = [
    ['/', 'home'],
    ['/filials', 'venues'],
    ['/town', 'town'],
    ['/filials/1013', 'menu'],
    ['/cart', 'cart'],
    ['/filials/1013/order/o_1', 'order'],
    ['/orders/checking/k', 'checking'],
    ['/orders/5', 'orderInfo'],
    ['/brands/booking', 'booking'],
    ['/typ/1013/order/5', 'thankYou'],
    ['/profile/form', 'profileForm'],
    ['/profile/delete', 'deletion'],
    ['/profile/deleted', 'deleted'],
    ['/filials/1013/details', 'details'],
    ['/filials/1201/barcode-scanner', 'barcodeScanner'],
    ['/filials/1201/barcode-manual', 'barcodeManual'],
    ['/filials/1201/fridge', 'fridge'],
    ['/what/ever', 'notFound'],
  ]
  for (const [path, route] of table) assert.equal(expectedPage(path), route, path)
  for (const { path, id } of routeTable) assert.equal(expectedPage(path.replace(/:\w+/g, '7')), id, path)
  assert.equal(expectedPage('/Filials/1013/'), 'menu')
})
