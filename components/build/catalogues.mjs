/**
 * The texts: ICU MessageFormat in, compact parts out (components/lib/text/message.ts reads them). A key or a placeholder
 * that is not the same in every language is a problem that ends a build for release (TX-A).
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'

export const LANGS = ['kk', 'ru', 'en', 'ka']

/** Plural categories of CLDR that a text must have, by language. */
const CATEGORIES = {
  kk: ['one', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  en: ['one', 'other'],
  ka: ['one', 'other'],
}

/**
 * Reads the texts of every language: those of a page or overlay stand in its folder, those of several in `locales`.
 * Which pages need a text the build works out (see texts.mjs); `owners[key]` is the page or overlay whose folder it is in.
 */
export function readTexts(components) {
  const problems = []
  const owners = {}
  const texts = Object.fromEntries(LANGS.map((lang) => [lang, {}]))
  for (const folder of textFolders(components)) {
    const [, owner] = /^(?:pages|overlays)\/(\w+)\/texts$/.exec(folder) ?? []
    for (const lang of LANGS) {
      const file = join(components, folder, `${lang}.json`)
      if (!existsSync(file)) continue
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
        if (key in texts[lang]) problems.push(`${lang}: ${key} stands in two files`)
        texts[lang][key] = text
        if (owner) owners[key] = owner
      }
    }
  }
  return { texts, problems, owners }
}

function textFolders(components) {
  const folders = (room) =>
    readdirSync(join(components, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${room}/${name}`)
      .sort()
  return [
    'locales',
    ...folders('locales'),
    ...[...folders('pages'), ...folders('overlays')].map((folder) => `${folder}/texts`),
  ]
}

/**
 * Compiles the texts of every language. `catalogues[lang]` is complete: a text that is missing is a choice of those
 * that are there, by the name of the language that the country falls back to (LC-03).
 * `placeholders[key]` tells the values that a text needs and whether each is a number.
 */
export function compileTexts(texts) {
  const problems = []
  const keys = [...new Set(LANGS.flatMap((lang) => Object.keys(texts[lang])))].sort()
  const catalogues = Object.fromEntries(LANGS.map((lang) => [lang, {}]))
  const placeholders = {}
  for (const key of keys) {
    const compiled = {}
    for (const lang of LANGS) {
      const text = texts[lang][key]
      if (text === undefined) problems.push(`${lang}: ${key} is missing`)
      else compiled[lang] = compileText(text, `${lang}: ${key}`, lang, problems)
    }
    placeholders[key] = samePlaceholders(key, compiled, problems)
    for (const lang of LANGS) {
      catalogues[lang][key] = compiled[lang]?.message ?? [['s', '', others(compiled)]]
    }
  }
  return { catalogues, placeholders, problems }
}

/** The texts of a key in the languages that have it; English where the fallback of a country lacks it too. */
function others(compiled) {
  const messages = Object.fromEntries(Object.entries(compiled).map(([lang, { message }]) => [lang, message]))
  return { ...messages, other: messages.en ?? Object.values(messages)[0] }
}

/** One text: its compact form and its placeholders. */
export function compileText(text, place, lang, problems) {
  const found = new Map()
  try {
    const elements = parse(text, { ignoreTag: true })
    return { message: compact(elements, { place, lang, problems, found }), found }
  } catch (error) {
    problems.push(`${place}: ${error.message} in ${JSON.stringify(text)}`)
    return { message: '', found }
  }
}

function compact(elements, context) {
  const parts = elements.map((element) => compactElement(element, context))
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  return parts
}

function compactElement(element, context) {
  const { found, problems, place } = context
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.pound:
      return 0
    case TYPE.argument:
      found.set(element.value, found.get(element.value) ?? 'any')
      return ['a', element.value]
    case TYPE.number:
      if (element.style) problems.push(`${place}: number styles are not supported, format it in the code`)
      found.set(element.value, 'number')
      return ['n', element.value]
    case TYPE.plural: {
      if (element.pluralType !== 'cardinal') problems.push(`${place}: ordinals are not supported`)
      found.set(element.value, 'number')
      checkCategories(element, context)
      const options = compactOptions(element, context)
      return element.offset ? ['p', element.value, options, element.offset] : ['p', element.value, options]
    }
    case TYPE.select:
      found.set(element.value, found.get(element.value) ?? 'any')
      return ['s', element.value, compactOptions(element, context)]
    default:
      problems.push(`${place}: dates, times and tags are not supported, pass a formatted text`)
      return ''
  }
}

function compactOptions(element, context) {
  return Object.fromEntries(
    Object.entries(element.options).map(([name, option]) => [name, compact(option.value, context)]),
  )
}

function checkCategories(element, { place, lang, problems }) {
  const own = CATEGORIES[lang]
  for (const name of own) {
    if (!(name in element.options)) problems.push(`${place}: plural form "${name}" is missing`)
  }
  for (const name of Object.keys(element.options)) {
    if (!name.startsWith('=') && !own.includes(name)) {
      problems.push(`${place}: plural form "${name}" is not one of this language`)
    }
  }
}

/** The placeholders of a key; a problem for each language that has others. */
function samePlaceholders(key, compiled, problems) {
  const all = new Map()
  for (const { found } of Object.values(compiled)) {
    for (const [name, kind] of found) if (all.get(name) !== 'number') all.set(name, kind)
  }
  for (const [lang, { found }] of Object.entries(compiled)) {
    for (const name of all.keys()) {
      if (!found.has(name))
        problems.push(`${lang}: ${key} lacks the placeholder {${name}} of other languages`)
    }
  }
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `messages.gen.ts`: the keys and placeholders as types. */
export function messageTypes(placeholders) {
  const lines = Object.entries(placeholders).map(([key, names]) => {
    const fields = Object.entries(names).map(
      ([name, kind]) => `${name}: ${kind === 'number' ? 'number' : 'string | number'}`,
    )
    return `  '${key}': ${fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<never, never>'}`
  })
  return [
    '// Generated by components/build from components/locales. Do not edit.',
    '',
    '/** Every key of the catalogues with the values that its text needs. */',
    'export type Messages = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}
