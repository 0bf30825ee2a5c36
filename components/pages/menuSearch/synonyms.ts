/**
 * Everyday words for one dish, in the languages of guests and of menus (`synonyms.json`, which the server reads as well).
 * A line has words that find each other (`same`), and words that they find as well and that do not find them (`kinds`): who
 * asks for potatoes wants the fries, too, who asks for fries wants no mash. Only what guests call alike stands there, each
 * word as a menu names it; other forms of words of five sounds and more are known, and so are other scripts: `doner` is
 * `дөнер`. A word that is another one in another of the languages is one for its own readers alone (`local`), such as
 * `сыра`, which is beer in Kazakh and cheese in Russian.
 *
 * `exact`: as `same`, but without other forms, which mean something else: `кисло-сладкий` is no dessert. `unlike`: what
 * sounds as one of the words and is another, as it is written: `төрт` is no cake, but four. A short Georgian word is one
 * only in its own script: folded, `ფრი` is `при`. `mark`: they find the dishes that are marked so.
 */

import { fold, type Written } from '../../lib/find/fold.ts'
import { alike } from './forms.ts'
import table from './synonyms.json' with { type: 'json' }
import { hasWhole, type Text } from './text.ts'

/** From this length on a word of the table has other forms. Shorter ones are found as they are: `кока` is not `кок-чай`. */
const LONG = 5

const GEORGIAN = /[ა-ჰ]/

type Group = {
  same: readonly string[]
  exact?: readonly string[]
  local?: Readonly<Record<string, readonly string[]>>
  kinds?: readonly string[]
  unlike?: readonly string[]
  mark?: string
}

/** A word of the table. */
type Entry = { folded: string; isExact: boolean; isGeorgian: boolean; unlike: readonly string[] }

type Known = { same: Entry[]; kinds: Entry[]; isMeatless: boolean }

/** `local`: those of one language alone, by its code. */
type Line = Known & { local: ReadonlyMap<string, Entry[]> }

/**
 * Other words for one, which has no other forms (`isExact`), and what is another word for all that it sounds so; `taken`: the
 * words of the reader's language alone, folded, that stand in other lines.
 */
export type Others = Known & {
  isExact: boolean
  isGeorgian: boolean
  unlike: readonly string[]
  taken: readonly string[]
}

let groups: Line[] | undefined

function groupsOf(): Line[] {
  groups ??= table.map(({ same, exact = [], local = {}, kinds = [], unlike = [], mark }: Group) => {
    const entries = (words: readonly string[], isExact: boolean) =>
      words.map((word) => {
        const folded = fold(word)
        return { folded, isExact, isGeorgian: folded.length < LONG && GEORGIAN.test(word), unlike }
      })
    return {
      same: [...entries(same, false), ...entries(exact, true)],
      local: new Map(Object.entries(local).map(([lang, words]) => [lang, entries(words, false)])),
      kinds: entries(kinds, false),
      isMeatless: mark === 'meatless',
    }
  })
  return groups
}

const byLanguage = new Map<string, readonly Known[]>()

/** The groups as who reads a language has them. */
function groupsIn(lang: string): readonly Known[] {
  const known = byLanguage.get(lang)
  if (known) return known
  const own = groupsOf().map(({ local, ...group }) => ({
    ...group,
    same: [...group.same, ...(local.get(lang) ?? [])],
  }))
  byLanguage.set(lang, own)
  return own
}

/** For who reads a language, by its code. */
export function othersOf(word: Written, lang: string): Others {
  const own = groupsIn(lang).filter(({ same }) => same.some((known) => isForm(word, known)))
  const itself = own.flatMap(({ same }) => same.filter((known) => known.folded === word.folded))
  return {
    same: own.flatMap(({ same }) => same),
    kinds: own.flatMap(({ kinds }) => kinds),
    isMeatless: own.some(({ isMeatless }) => isMeatless),
    isExact: itself.some(({ isExact }) => isExact),
    isGeorgian: itself.some(({ isGeorgian }) => isGeorgian) && GEORGIAN.test(word.written),
    unlike: itself.flatMap(({ unlike }) => unlike),
    taken: groupsOf().flatMap(({ same, local }) => {
      const words = local.get(lang)
      // Most lines have none, and comparing costs most.
      if (!words || [...same, ...words].some((known) => isForm(word, known))) return []
      return words.map(({ folded }) => folded)
    }),
  }
}

/** Whether what sounds as an everyday word is that word. */
export const isSameWord = ({ written }: Written, { isGeorgian, unlike }: Others) =>
  !unlike.includes(written) && (!isGeorgian || GEORGIAN.test(written))

/** Letters of Kazakh alone. */
const KAZAKH = /[әғқңөұүһі]/

/**
 * Whether a word of a text is an everyday one of the reader's language, and so no form of another: where it begins a name, or
 * letters of that language are around it. `Четыре сыра` of a menu in Russian is cheese for everybody.
 */
export const isTaken = (own: Written, all: readonly Written[], { taken }: Others) =>
  taken.includes(own.folded) && (all[0] === own || all.some(({ written }) => KAZAKH.test(written)))

/** Words of which some together are one word of the table, such as `без мяса`, are one. */
export function phrased(all: readonly Written[]): Written[] {
  const phrases = groupsOf().flatMap(({ same }) => same.filter(isPhrase))
  const joined: Written[] = []
  for (let at = 0; at < all.length; ) {
    const phrase = phrases.find(({ folded }) => {
      const count = folded.split(' ').length
      return folded === joinedBy(all.slice(at, at + count), 'folded')
    })
    const count = phrase?.folded.split(' ').length ?? 1
    const own = all.slice(at, at + count)
    joined.push({ folded: joinedBy(own, 'folded'), written: joinedBy(own, 'written') })
    at += count
  }
  return joined
}

const joinedBy = (all: readonly Written[], form: keyof Written) => all.map((word) => word[form]).join(' ')

/** Whether it is a word of the table. */
export const areKnown = ({ same }: Others) => same.length > 0

/** Whether a word stands in the table as it is, for who reads a language. */
export const isEveryday = ({ folded }: Written, lang: string) =>
  groupsIn(lang).some(({ same }) => same.some((word) => word.folded === folded))

/** Whether a text has another word for the same. */
export const areIn = ({ same }: Others, text: Text) => hasOne(text, same)

/** Whether a text has a word for a kind of it. */
export const haveKindIn = ({ kinds }: Others, text: Text) => hasOne(text, kinds)

const hasOne = (text: Text, words: readonly Entry[]) =>
  words.some((word) =>
    isPhrase(word) ? hasWhole(text, word.folded) : text.words.some((own) => isForm(own, word)),
  )

const isPhrase = ({ folded }: Entry) => folded.includes(' ')

const isForm = ({ folded, written }: Written, word: Entry) =>
  !word.unlike.includes(written) &&
  (folded === word.folded
    ? !word.isGeorgian || GEORGIAN.test(written)
    : !word.isExact && word.folded.length >= LONG && alike(folded, word.folded, 'certain'))
