/** FM-07, TX-A, LC-03: plurals, the compiled catalogues, and that a gap in them is found. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileText, compileTexts, messageTypes, readTexts } from '../../components/build/catalogues.mjs'
import type { Lang } from '../../components/lib/page-data.ts'
import { formatMessage } from '../../components/lib/text/message.ts'
import { pluralCategory } from '../../components/lib/text/plural.ts'
import { createText } from '../../components/lib/text/text.tsx'

declare const PROJECT_ROOT: string

const COUNTS = [0, 1, 2, 5, 11, 21, 22, 25, 101, 111, 112, 114, 121]

const texts = (key: string, all: Partial<Record<Lang, string>>) =>
  Object.fromEntries(
    (['kk', 'ru', 'en', 'ka'] as const).map((lang) => [
      lang,
      all[lang] === undefined ? {} : { [key]: all[lang] },
    ]),
  )

test('plural categories are those of CLDR in every language', () => {
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
    const rules = new Intl.PluralRules(lang)
    for (let count = 0; count <= 1200; count += 1) {
      assert.equal(pluralCategory(lang, count), rules.select(count), `${lang} ${count}`)
    }
    for (const count of [0.5, 1.5, 2.1]) assert.equal(pluralCategory(lang, count), rules.select(count))
  }
})

test('Russian has three forms and their traps, the others two', () => {
  const ru = '{count, plural, one {# позиция} few {# позиции} many {# позиций} other {# позиции}}'
  const kk = '{count, plural, one {# тағам} other {# тағам}}'
  const say = (lang: Lang, text: string, count: number) =>
    formatMessage(compileText(text, lang, lang, []).message, { count }, lang)
  assert.deepEqual(
    COUNTS.map((count) => say('ru', ru, count)),
    [
      '0 позиций',
      '1 позиция',
      '2 позиции',
      '5 позиций',
      '11 позиций',
      '21 позиция',
      '22 позиции',
      '25 позиций',
      '101 позиция',
      '111 позиций',
      '112 позиций',
      '114 позиций',
      '121 позиция',
    ],
  )
  for (const count of COUNTS) assert.equal(say('kk', kk, count), `${count} тағам`)
  const en = '{count, plural, one {# item} other {# items}}'
  assert.deepEqual(
    [0, 1, 2, 21].map((count) => say('en', en, count)),
    ['0 items', '1 item', '2 items', '21 items'],
  )
})

test('arguments, exact numbers, offsets, select, nesting and quotes are understood', () => {
  const say = (text: string, values: Record<string, string | number>) =>
    formatMessage(compileText(text, 'x', 'en', []).message, values, 'en')
  assert.equal(say('Hi {name}', { name: 'A' }), 'Hi A')
  assert.equal(say('{n, plural, =0 {none} one {one} other {#}}', { n: 0 }), 'none')
  assert.equal(say('{n, plural, offset:1 one {you and one} other {you and #}}', { n: 3 }), 'you and 2')
  assert.equal(say('{s, select, a {A} other {B}}', { s: 'zz' }), 'B')
  assert.equal(
    say('{s, select, a {{n, plural, one {# x} other {# xs}}} other {-}}', { s: 'a', n: 2 }),
    '2 xs',
  )
  assert.equal(say("'{'{a}'}'", { a: 1 }), '{1}')
  assert.equal(say('{n, number}', { n: 1234567 }), '1\u00a0234\u00a0567')
  assert.equal(compileText('plain', 'x', 'en', []).message, 'plain')
})

test('a missing key is found, and falls back to Russian in Kazakhstan and to English in Georgia', () => {
  const { catalogues, problems } = compileTexts(texts('a', { ru: 'р', en: 'e' }))
  assert.deepEqual(problems, ['kk: a is missing', 'ka: a is missing'])
  const say = (lang: Lang, fallback: Lang) => createText(lang, catalogues[lang] ?? {}, fallback).maybe('a')
  const [kazakhstan, georgia] = ['ru', 'en'] as const
  assert.equal(say('kk', kazakhstan), 'р')
  assert.equal(say('ka', georgia), 'e')
  assert.equal(say('ru', georgia), 'р', 'what is there is not replaced')
})

test('the country decides what a missing text falls back to, whatever the language is', () => {
  const { catalogues } = compileTexts(
    texts('a', {
      kk: '{n, plural, one {# а} other {# ә}}',
      ru: '{n, plural, one {# р} few {# ра} many {# р} other {# ра}}',
    }),
  )
  const say = (lang: Lang, fallback: Lang) =>
    createText(lang, catalogues[lang] ?? {}, fallback).maybe('a', { n: 3 })
  assert.equal(say('en', 'ru'), '3 ра', 'in its own plural')
  assert.equal(say('en', 'kk'), '3 ә')
  assert.match(say('en', 'ka') ?? '', /^3 /, 'a text of any language is better than none, and never the key')
  assert.equal(say('en', 'ka'), say('ka', 'ka'))
})

test('another set of placeholders is found', () => {
  const { problems } = compileTexts(texts('a', { kk: '{name}', ru: '{name}', en: '{nam}', ka: '{name}' }))
  assert.ok(problems.some((problem) => problem.startsWith('en: a lacks the placeholder {name}')))
})

test('a missing or foreign plural form is found', () => {
  const russian = '{n, plural, one {a} few {b} other {c}}'
  const { problems } = compileTexts(
    texts('a', { kk: '{n, plural, few {a} one {a} other {b}}', ru: russian, en: '{n}', ka: '{n}' }),
  )
  assert.ok(problems.includes('ru: a: plural form "many" is missing'))
  assert.ok(problems.includes('kk: a: plural form "few" is not one of this language'))
})

test('what the runtime can’t do is refused', () => {
  const problems: string[] = []
  compileText('{d, date, short}', 'x', 'en', problems)
  compileText('{n, selectordinal, other {#th}}', 'x', 'en', problems)
  compileText('{n', 'x', 'en', problems)
  assert.equal(problems.filter((problem) => /dates|ordinals|EXPECT_ARGUMENT/.test(problem)).length, 3)
})

test('the product’s own texts have no gap and their types are current', () => {
  const { texts: own, problems } = readTexts(`${PROJECT_ROOT}/components`)
  const compiled = compileTexts(own)
  assert.deepEqual([...problems, ...compiled.problems], [])
  assert.equal(
    readFileSync(`${PROJECT_ROOT}/components/lib/text/messages.gen.ts`, 'utf8'),
    messageTypes(compiled.placeholders),
  )
})

test('one thing has one word and one spelling, but in the texts that the specification gives', () => {
  const { texts: own } = readTexts(`${PROJECT_ROOT}/components`)
  const wrong = (lang: Lang, pattern: RegExp, given: string[] = []) =>
    Object.entries(own[lang] ?? {})
      .filter(([key, text]) => pattern.test(text) && !given.includes(key))
      .map(([key, text]) => `${lang} ${key}: ${text}`)
  assert.deepEqual(
    [
      // "not available. You need to rebuild the basket" is given (TX-22).
      ...wrong('en', /\bbasket|\bcancelled\b|\bday and night\b|\baround the clock\b|\bvenues?\b(?!})/i, [
        'cart.rebuild',
      ]),
      ...wrong('ru', /не закрывайте эту страницу|за столик|деньги с вас/i),
      ...wrong('kk', /рахмет/i),
      ...wrong('ka', /მიმტან|დაასკანერ/),
    ],
    [],
  )
})

test('texts that the specification gives are in the catalogues letter for letter', () => {
  const { texts: own } = readTexts(`${PROJECT_ROOT}/components`)
  const given: [Lang, ...string[]][] = [
    ['ru', 'Введите правильные данные'],
    [
      'kk',
      ...['Дұрыс ақпарат жазыңыз', 'Штрихкод қате', 'Штрихкод табылмады', 'Дұрыс теріңіз'],
      ...['Мына жерді толтырыңыз', 'Кем дегенде {count} таңдаңыз', 'Қап! Серверде қате бар'],
      ...['Желі байланысы нашар', 'Төлем кезінде қате шықты', 'Тоңазытқыш ашылмады', 'Үстел бекітілмеді'],
      'Мекенжайды анықтау мүмкін болмады',
    ],
    [
      'en',
      ...['Fill in the field', 'You need to specify the delivery address', 'Select at least {count}'],
      ...['Terminal is not found', 'Oops! An error occurred on the server', 'Poor internet connection'],
      ...['Payment error', 'Fridge did not open', 'QR not recognized', 'Table not attached'],
      ...['Delivery not available to the address', 'Position {name} is no longer available'],
      // Two are said of a dish: its name comes first (TX-B).
      ...['{name} is not available. You need to rebuild the basket', '{name} has changed in price'],
      // The panel of those who build the app (TX-30).
      ...[
        'No logs',
        'Pending details...',
        'No requests',
        'Debugbar',
        'Console',
        'Network',
        'Copy',
        'Details',
      ],
      'Clear requests',
    ],
  ]
  for (const [lang, ...texts] of given) {
    const all = new Set(Object.values(own[lang] ?? {}))
    assert.deepEqual(
      texts.filter((one) => !all.has(one)),
      [],
      lang,
    )
  }
})

test('each text of an error or a notice is of a code that the server or the browser knows', () => {
  const types = readFileSync(`${PROJECT_ROOT}/components/lib/page-data.ts`, 'utf8')
  const codesOf = (name: string) => {
    const [, union = ''] = new RegExp(`export type ${name} = ([^;]+);`).exec(types) ?? []
    return new Set([...union.matchAll(/"(\w+)"/g)].map(([, code = '']) => code))
  }
  const errors = codesOf('ErrorCode')
  // What nothing else tells.
  const notices = codesOf('Notice').add('failed')
  assert.ok(errors.has('badInput') && notices.has('removed'))
  const { texts: own } = readTexts(`${PROJECT_ROOT}/components`)
  for (const key of Object.keys(own.en ?? {})) {
    const [room, code = ''] = key.split('.')
    if (room === 'errors') assert.ok(errors.has(code), `${key} is no code`)
    if (room === 'flash') assert.ok(notices.has(code), `${key} is no notice`)
  }
})

test('a dish that has run out is called so by the same words in a list, in its sheet and in the news', () => {
  const { catalogues } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
    const say = (key: string) =>
      formatMessage(catalogues[lang]?.[key] ?? '', { name: '' }, lang).toLowerCase()
    for (const key of ['live.gone', 'dish.gone'])
      assert.ok(say(key).includes(say('menu.out')), `${lang} ${key}: ${say(key)}`)
  }
})

test('what is listed is called restaurants in every description', () => {
  const { catalogues } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const)
    for (const [key, told] of Object.entries(catalogues[lang] ?? {}))
      if (key.startsWith('head.') && key.endsWith('.description'))
        assert.doesNotMatch(JSON.stringify(told), /caf[eé]|кафе|კაფე/i, `${lang} ${key}`)
})

test('TX-B what is said of a dish is a whole sentence with its name in it, in the word order of each language', () => {
  const { catalogues, problems } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
  assert.deepEqual(problems, [])
  const name = 'Лагман'
  const say = (lang: Lang, key: string) => formatMessage(catalogues[lang]?.[key] ?? '', { name }, lang)
  for (const key of ['cart.gone', 'cart.priceChanged', 'cart.rebuild', 'live.gone'])
    for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
      const said = say(lang, key)
      assert.ok(said.includes(name), `${lang} ${key}: ${said}`)
      // The name does not stand before it: the sentence begins with a capital where the script has capitals.
      if (lang !== 'ka') assert.match(said, /^\p{Lu}/u, `${lang} ${key}: ${said}`)
    }
  const begins = (['kk', 'ru', 'en', 'ka'] as const).map((lang) => say(lang, 'cart.gone').startsWith(name))
  assert.deepEqual(begins, [true, false, false, true], 'the name does not stand at one place in all')
})

test('a percentage has a no-break space before its sign, in every text of every language', () => {
  const all = readTexts(`${PROJECT_ROOT}/components`).texts
  let found = 0
  for (const [lang, texts] of Object.entries(all)) {
    for (const [key, text] of Object.entries(texts)) {
      for (const { index } of text.matchAll(/%/g)) {
        assert.equal(text[index - 1], '\u00a0', `${key} in ${lang}: ${text}`)
        found += 1
      }
    }
  }
  assert.ok(found > 0)
})
