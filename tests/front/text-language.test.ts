/** LC-24: in which language a text of the upstream is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lang } from '../../components/lib/page-data.ts'
import { createTextLanguage } from '../../components/lib/text/text-language.tsx'

const RUSSIAN = ['Плов', 'Лагман', 'Манты с мясом', 'Самса из тандыра', 'Чай зелёный', 'Салат', 'Борщ']
const KAZAKH = ['Палау', 'Лағман', 'Ет қосылған манты', 'Тандыр самса', 'Көк шай', 'Салат', 'Сорпа']
const ENGLISH = ['Plov', 'Lagman', 'Manty with meat', 'Tandoor samsa', 'Green tea', 'Salad', 'Borscht']

const languagesOf = (page: Lang, texts: string[], sample = texts) => {
  const langOf = createTextLanguage(page, sample.join(' '))
  return texts.map((text) => langOf(text) ?? '')
}

test('a menu in the language of its page says nothing', () => {
  for (const [page, texts] of [
    ['ru', RUSSIAN],
    ['kk', KAZAKH],
    ['en', ENGLISH],
    ['ka', ['ხინკალი', 'ხაჭაპური']],
  ] as [Lang, string[]][]) {
    assert.deepEqual(
      languagesOf(page, texts),
      texts.map(() => ''),
      page,
    )
  }
})

test('a menu in another language says so dish by dish, names that could be both too', () => {
  const all = (lang: string, texts: string[]) => texts.map(() => lang)
  assert.deepEqual(languagesOf('kk', RUSSIAN), all('ru', RUSSIAN))
  assert.deepEqual(languagesOf('en', RUSSIAN), all('ru', RUSSIAN))
  assert.deepEqual(languagesOf('ka', RUSSIAN), all('ru', RUSSIAN))
  assert.deepEqual(languagesOf('kk', ENGLISH), all('en', ENGLISH))
  assert.deepEqual(languagesOf('ru', ['ხინკალი']), ['ka'])
})

test('one dish in another language among others is told by its own letters', () => {
  assert.deepEqual(languagesOf('ru', ['Көк шай'], RUSSIAN), ['kk'])
  assert.deepEqual(languagesOf('kk', ['ხინკალი'], KAZAKH), ['ka'])
  assert.deepEqual(languagesOf('en', ['Көк шай', 'Чай'], ENGLISH), ['kk', 'ru'])
  assert.deepEqual(
    languagesOf('kk', ['Салат с курицей, сыром и соусом'], KAZAKH),
    ['ru'],
    'long enough to tell',
  )
})

test('what can’t be told, and names in Latin letters, are left to the page', () => {
  assert.deepEqual(languagesOf('kk', ['Плов'], KAZAKH), [''])
  assert.deepEqual(languagesOf('kk', ['Плов'], []), [''])
  assert.deepEqual(languagesOf('ru', ['Coca-Cola 0,5 л', '7 Up', '', '250 г', '—'], RUSSIAN), [
    '',
    '',
    '',
    '',
    '',
  ])
})
