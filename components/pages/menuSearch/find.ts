/** Finds products of a menu that is at hand: the same rules as the server's (`server/finding/`). */

import { isNoise, type Written, words, writtenWords } from '../../lib/find/fold.ts'
import { layouts } from '../../lib/find/keyboards.ts'
import { INSIDE } from '../../lib/find/marks.ts'
import { plain } from '../../lib/find/plain.ts'
import { alike, areSure, noCasesOf } from './forms.ts'
import { nearest } from './nearest.ts'
import { scriptOf } from './scripts.ts'
import {
  areIn,
  areKnown,
  haveKindIn,
  isSameWord,
  isTaken,
  type Others,
  othersOf,
  phrased,
} from './synonyms.ts'
import {
  begins,
  hasWhole,
  type Section,
  saysWithout,
  sectionOf,
  type Text,
  textOf,
  withoutSmall,
} from './text.ts'

/**
 * `section`: the names of those that it stands in, one a line. `meatless`: it is marked so. What is `out` or `unpriced` can't
 * be had now.
 */
export type Named = {
  name: string
  section?: string
  text?: string
  meatless?: boolean
  out?: boolean
  unpriced?: boolean
}

/**
 * `shown`: the spelling that was looked for instead, when the query itself finds nothing. `nearest`: one that may be meant,
 * where nothing was found.
 */
export type Found<T> = { items: T[]; shown: string | null; nearest: string | null }

/** Words that are written as one, or one that is written as several, must be this long together. */
const JOINED = 4

/** A query of fewer letters is inside of other words by chance: `кола` is in `шоколад`. */
const SURE = 5

/** An everyday word this long may end another one: `cake` is in `cheesecake`. */
const ENDING = 4

/** So short a word begins many others by chance: `су`, which is water, `сұлы`. */
const SHORT = 2

/** How well an item fits, the best first. What is equally good stands in the order of its list, what is out at the end. */
const Fit = {
  /** Its name begins with the word itself. */
  whole: 0,
  /** Its name has the word itself. */
  word: 1,
  /** Its name begins so. */
  first: 2,
  /** A word of its name begins so. */
  begins: 3,
  /** One of its sections is called so and no more. */
  titled: 4,
  /** Its name has another form of a word, or what was typed as one word as several. */
  form: 5,
  /** Its name has another word for it. */
  synonym: 6,
  /** Its name has what is likely to be another form of a word. */
  likely: 7,
  /** Its name has a kind of what a word means, or it is marked so. */
  kind: 8,
  /** A word of its name has it inside. */
  inside: 9,
  /** A section that it stands in is called so. */
  section: 10,
  /** It is said of it as it is written. */
  written: 11,
  /** It is said of it in another form, or by another word. */
  said: 12,
  /** A word of its name begins with an everyday word, and is another one: `чайхана` has no tea. */
  start: 13,
  /** Its section is called so and after other things, too: `супы и роллы`. */
  mixed: 14,
  /** The same, and its name says that it is one of the others. */
  other: 15,
} as const

/** `exact`: as it is written and no other. `lang`: the code of the language that the guest reads. */
export function find<T extends Named>(
  all: readonly T[],
  typed: string,
  lang: string,
  exact = false,
): Found<T> {
  const query = plain(typed)
  const items = matching(all, queryOf(query, lang), Fit.other)
  if (items.length > 0 || words(query).length === 0) return { items, shown: null, nearest: null }
  // Three letters that another keyboard writes are inside of some name by chance, two begin one.
  const isLong = words(query).join('').length > SHORT
  for (const spelling of isLong && !exact ? layouts(query) : []) {
    const found = matching(all, queryOf(spelling, lang), Fit.begins)
    if (found.length > 0) return { items: found, shown: spelling, nearest: null }
  }
  if (isNoise(query)) return { items: [], shown: null, nearest: null }
  // Words of several names are near, and no item may have them all: what finds nothing is no spelling.
  const near = nearest(namesOf(all), query, lang)
  const meant = near ? matching(all, queryOf(near.written, lang), Fit.other) : []
  if (near?.certain && meant.length > 0 && !exact)
    return { items: meant, shown: near.spelling, nearest: null }
  const most = exact ? null : withMost(all, queryOf(query, lang))
  if (most) return { ...most, nearest: null }
  return { items: [], shown: null, nearest: meant.length > 0 ? (near?.spelling ?? null) : null }
}

const names = new WeakMap<readonly Named[], readonly string[]>()

/** One list for all that is typed: its words are folded once. */
function namesOf(all: readonly Named[]): readonly string[] {
  const known = names.get(all) ?? all.map(({ name }) => name)
  names.set(all, known)
  return known
}

function matching<T extends Named>(all: readonly T[], query: Query, worst: number): T[] {
  if (query.words.length === 0) return []
  const found = all.flatMap((item) => {
    const fit = fitOf(foldedOf(item), query, worst)
    return fit === null ? [] : [{ item, fit }]
  })
  return ordered(found, query)
}

/** The best first, without what is not wanted beside it. */
function ordered<T extends Named>(found: readonly { item: T; fit: number }[], query: Query): T[] {
  const best = Math.min(...found.map(({ fit }) => fit))
  const isChance = ({ item, fit }: { item: T; fit: number }) =>
    query.joined.length <= SHORT &&
    best <= Fit.word &&
    (fit === Fit.first || fit === Fit.begins) &&
    !foldedOf(item).name.words.some((own) => isWithEnding(own.folded, query.joined))
  return found
    .filter((one) => isWanted(query, one.fit, best) && !isChance(one))
    .sort((a, b) => a.fit - b.fit || Number(isOut(a.item)) - Number(isOut(b.item)))
    .map(({ item }) => item)
}

/** Whether a word is another one with at most one letter behind it: `суы`, of `су`. */
const isWithEnding = (own: string, word: string) => own.startsWith(word) && own.length <= word.length + 1

/**
 * What fits most of the words of a query that nothing fits as a whole: at least half of them. Not where one of them says
 * what is not wanted: `чай без лимона` is no tea with lemon.
 */
function withMost<T extends Named>(all: readonly T[], query: Query): { items: T[]; shown: string } | null {
  const single = query.words.map((word) => ({ words: [word], joined: word.folded }))
  const found = all.map((item) => {
    const fits = single.map((one) => {
      const fit = fitOf(foldedOf(item), one, Fit.other)
      return fit === Fit.inside || fit === Fit.start ? null : fit
    })
    const hit = fits.filter((fit) => fit !== null)
    // Whoever wants no meat gets none, whatever else is left out.
    const isRefused = query.words.some(({ others }, at) => others.isMeatless && fits[at] === null)
    return { item, fits, count: isRefused ? 0 : hit.length, fit: Math.max(...hit) }
  })
  const most = Math.max(...found.map(({ count }) => count))
  const isLess = query.words.some(({ folded }) => saysWithout(folded))
  if (query.words.length < 2 || isLess || most * 2 < query.words.length) return null
  const best = found.filter(({ count }) => count === most)
  // Beside what is called so, what is only said of others is not meant.
  const isNamed = best.some(({ fit }) => fit <= Fit.section)
  const items = ordered(
    best.filter(({ fit }) => !isNamed || fit <= Fit.section),
    query,
  )
  const left = new Set(items)
  const shown = query.words.filter((_, at) =>
    best.some(({ item, fits }) => left.has(item) && fits[at] !== null),
  )
  const spelt = shown.map(({ written }) => written)
  // One spelling, if all have the same words.
  return { items, shown: spelt.join(shown.length > most ? ', ' : ' ') }
}

const isOut = ({ out, unpriced }: Named) => Boolean(out || unpriced)

/** What is looked for, read once for all items. `joined`: all that was typed as one word. */
type Query = { words: Word[]; joined: string }

type Word = Written & { others: Others; isKnown: boolean; isNoCase: boolean }

function queryOf(text: string, lang: string): Query {
  const typed = isNoise(text) ? [] : writtenWords(text)
  const noCases = noCasesOf(text)
  const wanted = withoutSmall(phrased(typed))
  const isFirst = ({ folded }: Written, at: number) => wanted.findIndex((one) => one.folded === folded) === at
  return {
    words: wanted.filter(isFirst).map((word) => {
      const others = othersOf(word, lang)
      return { ...word, others, isKnown: areKnown(others), isNoCase: noCases.has(word.folded) }
    }),
    joined: typed.map(({ folded }) => folded).join(''),
  }
}

/**
 * Whether what fits so is wanted beside the best: a short word is inside of others by chance, and who has what is called so
 * looks for no other of its section.
 */
function isWanted({ joined }: Query, fit: number, best: number): boolean {
  if (fit === Fit.inside) return joined.length >= SURE || best >= Fit.inside
  return (fit !== Fit.start && fit !== Fit.other) || best >= fit
}

/**
 * An item as it is compared: its name, the name with the sections (`placed`), and what is said of it. `noCases`: of its name.
 */
type Folded = {
  name: Text
  noCases: ReadonlySet<string>
  isMeatless: boolean
  sections(): readonly Section[]
  placed(): Text
  text(): Text
}

/** Each is folded once for all that is typed, and what is said of it only if its name does not fit. */
const known = new WeakMap<Named, Folded>()

function foldedOf(item: Named): Folded {
  const before = known.get(item)
  if (before) return before
  let sections: Section[] | undefined
  let placed: Text | undefined
  let text: Text | undefined
  const folded: Folded = {
    name: textOf(item.name),
    noCases: noCasesOf(item.name),
    isMeatless: item.meatless === true,
    sections: () => (sections ??= (item.section ?? '').split('\n').map(sectionOf)),
    placed: () => (placed ??= textOf(`${item.name}\n${item.section ?? ''}`)),
    text: () => (text ??= textOf(item.text ?? '')),
  }
  known.set(item, folded)
  return folded
}

/**
 * How well an item fits; null when it does not, or worse than wanted. As it is written comes before another form of it,
 * and a name before a section and a text.
 */
function fitOf(item: Folded, query: Query, worst: number): number | null {
  const { words: wanted, joined } = query
  const { name } = item
  if (wanted.every((word) => isBegun(name, word))) {
    const isFirst = name.folded.startsWith(wanted[0]?.folded ?? '')
    if (wanted.every((word) => isWhole(name, word))) return isFirst ? Fit.whole : Fit.word
    return isFirst ? Fit.first : Fit.begins
  }
  if (worst <= Fit.begins) return null
  if (worst > Fit.inside && item.sections().some((section) => isTitled(section, wanted))) return Fit.titled
  const named = worstOf(wanted, item)
  const isEveryday = wanted.length === 1 && wanted.every(({ isKnown }) => isKnown)
  if (named === Fit.form || (!isEveryday && isJoined(name, joined))) return Fit.form
  // `супы и салаты`: what is short must stand there by itself, beside something longer.
  const isNamed = named !== null && named !== Fit.start
  if (isNamed || worst <= Fit.inside || wanted.every(({ folded }) => folded.length < INSIDE)) return named
  return saidOf(item, wanted) ?? named
}

/** How well an item whose name does not fit does so by its sections, or by what is said of it. */
function saidOf(item: Folded, wanted: readonly Word[]): number | null {
  const placed = item.placed()
  const isPlaced = (word: Word) => isNamedIn(placed, word, item.noCases) || isMarked(item, word)
  if (wanted.every(isPlaced)) return sectionFit(item, wanted)
  const text = item.text()
  if (wanted.every((word) => isWritten(placed, word) || isWritten(text, word))) return Fit.written
  const isSaid = (word: Word) =>
    isPlaced(word) || isWritten(text, word) || isFormed(text, word) || areIn(word.others, text)
  return wanted.every(isSaid) ? Fit.said : null
}

/** Of an item whose name and sections have all words. */
function sectionFit({ name, sections }: Folded, wanted: readonly Word[]): number {
  const none: ReadonlySet<string> = new Set()
  const has = (text: Text) => wanted.some((word) => isNamedIn(text, word, none))
  const called = sections().filter(({ parts }) => parts.some(has))
  if (called.length === 0 || called.some(({ parts }) => parts.every(has))) return Fit.section
  const others = called.flatMap(({ parts }) => parts.filter((part) => !has(part)))
  const isOther = others.some(({ words }) => words.some((word) => isSaidBy(name, word)))
  return isOther ? Fit.other : Fit.mixed
}

/** Whether a name has a word, a form of it, another word for it or a kind of it. */
function isSaidBy(name: Text, { folded, written }: Written): boolean {
  const others = othersOf({ folded, written }, '')
  return (
    name.words.some((own) => own.folded === folded || alike(own.folded, folded, 'certain')) ||
    areIn(others, name) ||
    haveKindIn(others, name)
  )
}

/** Whether a section is called so and no more. */
function isTitled({ words: { words } }: Section, wanted: readonly Word[]): boolean {
  const own = new Set(words.map(({ folded }) => folded))
  return own.size === wanted.length && wanted.every(({ folded }) => own.has(folded))
}

/** How well the worst of the words fits a name, `form` the best; null when one does not. */
function worstOf(wanted: readonly Word[], item: Folded): number | null {
  let worst: number = Fit.form
  for (const word of wanted) {
    const fit = namedAs(item, word)
    if (fit === null) return null
    worst = Math.max(worst, fit)
  }
  return worst
}

function namedAs(item: Folded, word: Word): number | null {
  const { name, noCases } = item
  if (isBegun(name, word)) return Fit.form
  const forms = formsIn(name, word, noCases)
  if (forms.some((one) => areSure(one, word.folded))) return Fit.form
  if (areIn(word.others, name)) return Fit.synonym
  if (forms.length > 0) return Fit.likely
  if (haveKindIn(word.others, name) || isMarked(item, word)) return Fit.kind
  if (isInside(name, word)) return Fit.inside
  return word.isKnown && isStart(name, word) ? Fit.start : null
}

/** Whether a word of the name begins with an everyday word, as it is written where the script is the same. */
const isStart = ({ words }: Text, word: Word) =>
  words.some((own) => own.folded.startsWith(word.folded) && beginsAsWritten(own, word, word.written.length))

/** Whether a word begins with so many letters of another, or is of another script. */
const beginsAsWritten = (own: Written, { written }: Written, letters: number) =>
  own.written.startsWith(written.slice(0, letters)) || scriptOf(own.written) !== scriptOf(written)

const isMarked = ({ isMeatless }: Folded, { others }: Word) => isMeatless && others.isMeatless

/** An everyday word is typed as a whole: what only begins with it is another one. */
const isBegun = (text: Text, word: Word) => (word.isKnown ? isWhole(text, word) : begins(text, word.folded))

const isWhole = (text: Text, word: Word) =>
  word.isKnown && !word.folded.includes(' ')
    ? text.words.some((own) => own.folded === word.folded && isSameWord(own, word.others))
    : hasWhole(text, word.folded)

const isInside = (name: Text, { folded, isKnown }: Word) =>
  isKnown
    ? folded.length >= ENDING &&
      name.words.some((own) => own.folded !== folded && own.folded.endsWith(folded))
    : folded.length >= INSIDE && name.folded.includes(folded)

/**
 * The words of a text that are other forms of one. An everyday word is no form of what it begins with: `кока` is not made
 * of `кок`.
 */
const formsIn = ({ words }: Text, word: Word, noCases: ReadonlySet<string>) =>
  words
    .filter((own) => isLikeEveryday(own, words, word) && alike(own.folded, word.folded, 'name'))
    .map(({ folded }) => folded)
    .filter((own) => {
      const isNoCase = word.isNoCase || noCases.has(own)
      return !(isNoCase && own.slice(0, -1) === word.folded.slice(0, -1))
    })

/** In the cases of Russian; an everyday word, which may be short, also in forms that are beyond doubt. */
const isFormed = ({ words }: Text, word: Word) =>
  words.some(
    (own) =>
      isLikeEveryday(own, words, word) &&
      (alike(own.folded, word.folded, 'text') || (word.isKnown && alike(own.folded, word.folded, 'certain'))),
  )

/**
 * Whether a word may be a form of another one. Of an everyday word none is what it begins with, as `кок` of `кока`; a short
 * one is written alike in each of its forms: `berry` is none of `beer`, though folded they begin so. An everyday word of the
 * guest's language is none of another: the Kazakh `сыра` is no `сыр`.
 */
const isLikeEveryday = (own: Written, words: readonly Written[], word: Word) =>
  !isTaken(own, words, word.others) &&
  (!word.isKnown ||
    (!word.others.isExact &&
      !word.folded.startsWith(own.folded) &&
      (word.folded.length >= SURE || beginsAsWritten(own, word, word.written.length - 1))))

const isWritten = (text: Text, word: Word) =>
  word.folded.length < INSIDE ? isWhole(text, word) : isBegun(text, word)

/** Whether a name or a section has a word, a form of it or another word for it. */
const isNamedIn = (text: Text, word: Word, noCases: ReadonlySet<string>) =>
  isWritten(text, word) || formsIn(text, word, noCases).length > 0 || areIn(word.others, text)

/** Whether a word of the name and those behind it, written as one, begin so: `кокакола`. */
const isJoined = ({ words }: Text, query: string) =>
  query.length >= JOINED &&
  words.some((_, first) =>
    words
      .slice(first)
      .map(({ folded }) => folded)
      .join('')
      .startsWith(query),
  )
