/** The document's head: titles of every page and language, addresses for search engines, nothing personal indexed. */

import { catalogue as en } from 'locale:en'
import { catalogue as ka } from 'locale:ka'
import { catalogue as kk } from 'locale:kk'
import { catalogue as ru } from 'locale:ru'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lang, PageData } from '../../components/lib/page-data.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { headOf } from '../../components/pages/head.ts'
import { samplePages } from '../../components/pages/samples.ts'

const catalogues = { kk, ru, en, ka }
const head = (data: PageData) => headOf(data, createText(data.shell.lang, catalogues[data.shell.lang]))

function sample(url: string, lang: string): PageData {
  const found = samplePages().find((page) => page.url === url && page.data.shell.lang === lang)
  assert.ok(found)
  return found.data
}

test('every page has a title and a description in its language', () => {
  for (const { url, data } of samplePages()) {
    const { title, description, lang } = head(data)
    assert.ok(title.length > 12, `${lang} ${url}`)
    assert.ok(description.length > 20, `${lang} ${url}`)
    assert.equal(lang, data.shell.lang)
  }
})

test('the menu names all its languages and itself', () => {
  const data = sample('/filials/1013', 'ru')
  const { canonical, alternates, noindex, image } = head({ ...data, shell: { ...data.shell, cart: null } })
  assert.equal(noindex, undefined)
  assert.equal(canonical, 'http://127.0.0.1:8080/filials/1013?lang=ru')
  assert.deepEqual(
    alternates?.map(({ lang, href }) => `${lang} ${href}`),
    [
      'kk http://127.0.0.1:8080/filials/1013',
      'ru http://127.0.0.1:8080/filials/1013?lang=ru',
      'en http://127.0.0.1:8080/filials/1013?lang=en',
      'x-default http://127.0.0.1:8080/filials/1013',
    ],
  )
  assert.equal(image, 'http://127.0.0.1:8080/img/v5?w=og')
})

test('a venue of another country is known there, in its own language where this one is not offered', () => {
  for (const [lang, own] of [
    ['kk', '?country=ge'],
    ['ru', '?lang=ru&country=ge'],
  ] as const) {
    const data = sample('/filials/1013', lang)
    const shell = {
      ...data.shell,
      cart: null,
      abroad: { country: 'ge' as const, langs: ['ka', 'ru'] as Lang[] },
    }
    const { canonical, alternates } = head({ ...data, shell })
    assert.equal(canonical, `http://127.0.0.1:8080/filials/1013${own}`)
    assert.deepEqual(
      alternates?.map(({ lang, href }) => `${lang} ${href}`),
      [
        'ka http://127.0.0.1:8080/filials/1013?country=ge',
        'ru http://127.0.0.1:8080/filials/1013?lang=ru&country=ge',
        'x-default http://127.0.0.1:8080/filials/1013?country=ge',
      ],
    )
  }
})

test('a guest with a cart gets nothing that is for search engines and previews alone', () => {
  const data = sample('/filials/1013', 'ru')
  assert.ok(data.shell.cart)
  const { canonical, alternates, image, jsonld, title } = head(data)
  assert.deepEqual([alternates, image, jsonld], [undefined, undefined, undefined])
  // A page is shared by its canonical address.
  assert.equal(canonical, 'http://127.0.0.1:8080/filials/1013?lang=ru')
  assert.notEqual(title, '')
})

test('the table of a QR link and an open dish do not reach the canonical address', () => {
  const data = sample('/filials/1013?item=551', 'kk')
  assert.equal(head(data).canonical, 'http://127.0.0.1:8080/filials/1013')
})

test('what is personal, passing or not there is kept out of search engines', () => {
  for (const { url, data } of samplePages()) {
    const open =
      data.status === 200 &&
      ['home', 'menu', 'venues', 'details', 'reviews', 'faq', 'brands'].includes(data.page.route)
    const { route } = data.page
    const searched = (route === 'venues' || route === 'brands') && data.page.data.query !== ''
    assert.equal(head(data).noindex ?? false, !open || searched, url)
  }
})
