/** Finds products of a menu that is at hand: the same rules as the server's (`server/finding/`). */

import { fold, isNoise, words } from '../../lib/find/fold.ts'
import { layouts } from '../../lib/find/keyboards.ts'
import { INSIDE } from '../../lib/find/marks.ts'
import { plain } from '../../lib/find/plain.ts'
import { alike, areSure, noCasesOf } from './forms.ts'
import { nearest } from './nearest.ts'
import { areIn, haveKindIn, type Others, othersOf } from './synonyms.ts'

/** `section`: the names of those that it stands in. What is `out` or `unpriced` can't be had now. */
export type Named = { name: string; section?: string; text?: string; out?: boolean; unpriced?: boolean }

/**
 * `shown`: the spelling that was looked for instead, when the query itself finds nothing. `nearest`: one that may be meant,
 * where nothing was found.
 */
export type Found<T> = { items: T[]; shown: string | null; nearest: string | null }

/** Words that are written as one, or one that is written as several, must be this long together. */
const JOINED = 4

/** A query of fewer letters is inside of other words by chance: `кола` is in `шоколад`. */
const SURE = 5

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
  /** Its name has another form of a word, or what was typed as one word as several. */
  form: 4,
  /** Its name has another word for it. */
  synonym: 5,
  /** Its name has what is likely to be another form of a word. */
  likely: 6,
  /** Its name has a kind of what a word means. */
  kind: 7,
  /** A word of its name has it inside. */
  inside: 8,
  /** Its sections are called so. */
  section: 9,
  /** It is said of it as it is written. */
  written: 10,
  /** It is said of it in another form. */
  said: 11,
} as const

/** `exact`: as it is written and no other. */
export function find<T extends Named>(all: readonly T[], typed: string, exact = false): Found<T> {
  const query = plain(typed)
  const items = matching(all, query, Fit.said)
  if (items.length > 0 || words(query).length === 0) return { items, shown: null, nearest: null }
  // Three letters that another keyboard writes are inside of some name by chance.
  for (const spelling of exact ? [] : layouts(query)) {
    const found = matching(all, spelling, Fit.begins)
    if (found.length > 0) return { items: found, shown: spelling, nearest: null }
  }
  const near = isNoise(query) ? null : nearest(namesOf(all), query)
  if (near?.certain && !exact)
    return { items: matching(all, near.written, Fit.said), shown: near.spelling, nearest: null }
  return { items: [], shown: null, nearest: near?.spelling ?? null }
}

const names = new WeakMap<readonly Named[], readonly string[]>()

/** One list for all that is typed: its words are folded once. */
function namesOf(all: readonly Named[]): readonly string[] {
  const known = names.get(all) ?? all.map(({ name }) => name)
  names.set(all, known)
  return known
}

function matching<T extends Named>(all: readonly T[], text: string, worst: number): T[] {
  const query = queryOf(text)
  if (query.words.length === 0) return []
  const found = all.flatMap((item) => {
    const fit = fitOf(foldedOf(item), query, worst)
    return fit === null ? [] : [{ item, fit }]
  })
  const best = Math.min(...found.map(({ fit }) => fit))
  return found
    .filter(({ fit }) => isWanted(query, fit, best))
    .sort((a, b) => a.fit - b.fit || Number(isOut(a.item)) - Number(isOut(b.item)))
    .map(({ item }) => item)
}

const isOut = ({ out, unpriced }: Named) => Boolean(out || unpriced)

/** What is looked for, read once for all items. `joined`: all that was typed as one word. */
type Query = { words: Word[]; joined: string }

type Word = { folded: string; others: Others; isNoCase: boolean }

function queryOf(text: string): Query {
  const typed = isNoise(text) ? [] : words(text)
  const noCases = noCasesOf(text)
  return {
    words: [...new Set(typed)].map((folded) => ({
      folded,
      others: othersOf(folded),
      isNoCase: noCases.has(folded),
    })),
    joined: typed.join(''),
  }
}

/** Whether what fits so is wanted beside the best: where names begin with it, a short word is inside of others by chance. */
const isWanted = ({ joined }: Query, fit: number, best: number) =>
  joined.length >= SURE || fit !== Fit.inside || best > Fit.begins

/**
 * An item as it is compared: the words of its name, those of the name and the sections (`placed`), and of what is said of
 * it. `noCases`: of its name.
 */
type Folded = {
  name: string
  own: readonly string[]
  noCases: ReadonlySet<string>
  placed(): readonly string[]
  text(): readonly string[]
}

/** Each is folded once for all that is typed, and what is said of it only if its name does not fit. */
const known = new WeakMap<Named, Folded>()

function foldedOf(item: Named): Folded {
  const before = known.get(item)
  if (before) return before
  const name = fold(item.name)
  const own = name.split(' ')
  let placed: string[] | undefined
  let text: string[] | undefined
  const folded: Folded = {
    name,
    own,
    noCases: noCasesOf(item.name),
    placed: () => (placed ??= [...own, ...words(item.section ?? '')]),
    text: () => (text ??= words(item.text ?? '')),
  }
  known.set(item, folded)
  return folded
}

/**
 * How well an item fits; null when it does not, or worse than wanted. As it is written comes before another form of it,
 * and a name before a section and a text.
 */
function fitOf(item: Folded, { words: wanted, joined }: Query, worst: number): number | null {
  const { name, own } = item
  if (wanted.every(({ folded }) => begins(own, folded))) {
    const isFirst = name.startsWith(wanted[0]?.folded ?? '')
    if (wanted.every(({ folded }) => own.includes(folded))) return isFirst ? Fit.whole : Fit.word
    return isFirst ? Fit.first : Fit.begins
  }
  if (worst <= Fit.begins) return null
  const named = worstOf(wanted, item)
  if (named === Fit.form || isJoined(own, joined)) return Fit.form
  // `супы и салаты`: what is short must stand there by itself, beside something longer.
  if (named !== null || wanted.every(({ folded }) => folded.length < INSIDE)) return named
  const placed = item.placed()
  const isPlaced = (word: Word) =>
    asWritten(placed, word.folded) ||
    formsIn(placed, word, item.noCases).length > 0 ||
    areIn(word.others, placed)
  if (wanted.every(isPlaced)) return Fit.section
  const text = item.text()
  if (wanted.every(({ folded }) => asWritten(placed, folded) || asWritten(text, folded))) return Fit.written
  const isSaid = (word: Word) =>
    isPlaced(word) || asWritten(text, word.folded) || text.some((one) => alike(one, word.folded, 'text'))
  return wanted.every(isSaid) ? Fit.said : null
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

function namedAs({ name, own, noCases }: Folded, word: Word): number | null {
  const { folded, others } = word
  if (begins(own, folded)) return Fit.form
  const forms = formsIn(own, word, noCases)
  if (forms.some((one) => areSure(one, folded))) return Fit.form
  if (areIn(others, own)) return Fit.synonym
  if (forms.length > 0) return Fit.likely
  if (haveKindIn(others, own)) return Fit.kind
  return folded.length >= INSIDE && name.includes(folded) ? Fit.inside : null
}

/**
 * The words of a text that are other forms of one. An everyday word is no form of what it begins with: `кока` is not made
 * of `кок`.
 */
const formsIn = (all: readonly string[], { folded, others, isNoCase }: Word, noCases: ReadonlySet<string>) =>
  all.filter(
    (own) =>
      alike(own, folded, 'name') &&
      !((isNoCase || noCases.has(own)) && own.slice(0, -1) === folded.slice(0, -1)) &&
      !(others.same.length > 0 && folded.startsWith(own)),
  )

const begins = (all: readonly string[], word: string) => all.some((own) => own.startsWith(word))

const asWritten = (all: readonly string[], word: string) =>
  word.length < INSIDE ? all.includes(word) : begins(all, word)

/** Whether a word of the name and those behind it, written as one, begin so: `кокакола`. */
const isJoined = (own: readonly string[], query: string) =>
  query.length >= JOINED && own.some((_, first) => own.slice(first).join('').startsWith(query))
