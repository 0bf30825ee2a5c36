/**
 * Forms of one word: plurals and cases of the four languages, in folded letters. The same rules as the server's
 * (`server/finding/src/forms.rs`).
 */

import { fold } from '../../lib/find/fold.ts'
import { plain } from '../../lib/find/plain.ts'

/** Fewer letters in common say nothing. */
const LEAST = 3
/** From here on any two endings of one kind will do. With fewer, `тофу` and `тоффи` would be forms of one word. */
const SURE = 4
/** A Kazakh plural behind a stem that ends as it begins needs this many letters: `тартар` is no plural of `тарт`. */
const DOUBLED = 5

const list = (endings: string) => new Set(endings.split(' '))

const RUSSIAN = list(
  ' a ah aia am ami e ei em ev i ia iah iam iami ie ih im imi iu o oe ogo oi om omu ov u uiu ego emu',
)
/**
 * The vowel that comes and goes: `напиток`, `напитки`; `огурец`, `огурцы`. They are no endings of what stands without them:
 * `сливки` are not made of `слива`, nor `сырок` of `сыр`.
 */
const FLEETING = [list('ek ok ka kah kam kami ke ki koi kov ku'), list('ets tsa tsam tsami tse tsi tsov tsu')]
const KAZAKH = list(' ben da dan de den di din ga ge i men nan nen ni nin pen si ta tan te ten ti tin')
const KAZAKH_PLURAL = /^[ldt][ae]r/
/** A doubled letter is folded to one: `салаттар` is `salatar`. */
const DOUBLED_PLURAL = /^[ae]r/
const GEORGIAN = list(' a i is it ma s ze')
const GEORGIAN_PLURAL = /^eb/
const ENGLISH = list(' s es')

/** What a short Russian noun ends with as it is named, and its other endings. */
const NOUNS = new Map([
  ['a', list('ah am ami e ei i oi u')],
  ['ia', list('e ei i iah iam iami iu')],
  ['o', list('a ah am ami e om u')],
])

/**
 * How two words have to be forms of one. `text`: in the cases of Russian and with four letters in common, since among all
 * that is said of a dish much sounds alike. `certain`: beyond doubt: three letters in common and two endings may be
 * another word, `пити` and `пита`.
 */
type Likeness = 'text' | 'name' | 'certain'

/** Whether two folded words are forms of one. */
export function alike(one: string, other: string, likeness: Likeness): boolean {
  // The endings may begin alike.
  for (let stem = commonOf(one, other); stem >= LEAST; stem--) {
    const [a, b] = [one.slice(stem), other.slice(stem)]
    const sure = stem >= SURE
    if (likeness === 'text') {
      if (sure && both(RUSSIAN, a, b)) return true
      continue
    }
    const whole = a === '' || b === ''
    if ((sure || whole) && areEndings(a, b, stem >= DOUBLED && one[stem - 1] === 't')) return true
    if (FLEETING.some((endings) => both(endings, a, b))) return true
    if (likeness === 'name' && (NOUNS.get(a)?.has(b) || NOUNS.get(b)?.has(a))) return true
  }
  return false
}

/** As it is written: behind these letters no case of a noun in -а has an и, but an ы. */
const NO_CASE = /\p{L}*[бвдзлмнпрстфц]и(?![\p{L}\p{N}])/gu

/** The words of a text, folded, that are no case of a noun in -а: `пити` is not made of `пита`, as `питы` is. */
export const noCasesOf = (text: string): ReadonlySet<string> =>
  new Set(plain(text).toLowerCase().match(NO_CASE)?.map(fold))

/** Whether forms of one word have so much in common that they are no two words: `пити` and `пита` have too little. */
export const areSure = (one: string, other: string) => commonOf(one, other) >= SURE

function commonOf(one: string, other: string): number {
  let common = 0
  while (common < one.length && one[common] === other[common]) common += 1
  return common
}

const both = (endings: ReadonlySet<string>, a: string, b: string) => endings.has(a) && endings.has(b)

function areEndings(a: string, b: string, doubled: boolean): boolean {
  const kazakh = (rest: string) =>
    isEnding(rest, KAZAKH, KAZAKH_PLURAL) || (doubled && isEnding(rest, KAZAKH, DOUBLED_PLURAL))
  const georgian = (rest: string) => isEnding(rest, GEORGIAN, GEORGIAN_PLURAL)
  return (
    both(RUSSIAN, a, b) || both(ENGLISH, a, b) || (kazakh(a) && kazakh(b)) || (georgian(a) && georgian(b))
  )
}

/** Kazakh and Georgian put the case behind the plural. */
const isEnding = (rest: string, cases: ReadonlySet<string>, plural: RegExp) =>
  cases.has(rest) || (plural.test(rest) && cases.has(rest.replace(plural, '')))
