/**
 * One spelling for everything that a guest may take for the same: Kazakh letters and the Russian ones that stand in
 * for them, Cyrillic, Latin and Georgian script. The server has the same rules (`server/finding/src/fold.rs`);
 * `tests/fixtures/finding.json` holds cases that both must pass.
 */

import { plain } from './plain.ts'

/** The folded text, and for each of its letters where in the text it comes from. */
export type Folded = { text: string; from: number[]; to: number[] }

/** Several letters for one sound, the longest first. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ['shch', 'w'],
  ['sch', 'w'],
  ['sh', 'w'],
  ['ch', 'c'],
  ['zh', 'j'],
  ['kh', 'h'],
  ['gh', 'g'],
  ['ph', 'f'],
  ['ck', 'k'],
  ['dj', 'j'],
  ['ts', 'ts'],
  ['zz', 'ts'],
  ['ye', 'e'],
  ['дж', 'j'],
  ['цц', 'ts'],
]

const ALIKE: readonly (readonly [string, string])[] = [
  ['аәაáàâäãå', 'a'],
  ['бბ', 'b'],
  ['вვw', 'v'],
  ['гғґგღğ', 'g'],
  ['дდ', 'd'],
  ['еёэєეéèêë', 'e'],
  ['жჟჯž', 'j'],
  ['зზ', 'z'],
  ['ийіїыიyíìîïı', 'i'],
  ['кқკქყcq', 'k'],
  ['лლ', 'l'],
  ['мმ', 'm'],
  ['нңნñ', 'n'],
  ['оөოóòôöõ', 'o'],
  ['пპფ', 'p'],
  ['рრ', 'r'],
  ['сს', 's'],
  ['тთტ', 't'],
  ['уұүუúùûü', 'u'],
  ['ф', 'f'],
  ['хһხჰx', 'h'],
  ['цცწ', 'ts'],
  ['ძ', 'dz'],
  ['чჩჭç', 'c'],
  ['шщშşš', 'w'],
  ['ю', 'iu'],
  ['я', 'ia'],
  ["ъь'’ʼ", ''],
]

const SOUNDS = new Map(ALIKE.flatMap(([letters, sound]) => [...letters].map((letter) => [letter, sound])))

/** Words separated by single spaces; what is neither letter nor digit separates words. */
export function fold(text: string): string {
  return foldWithPlaces(plain(text)).text
}

/** The folded words of a text. */
export const words = (text: string): string[] => writtenWords(text).map(({ folded }) => folded)

/** A word as it sounds and as it is written, in lower case. */
export type Written = { folded: string; written: string }

/** The words of a text as `words` has them, each with how it is written. */
export const writtenWords = (text: string): Written[] =>
  [...wordsOf(text)].filter(({ folded }) => folded !== '').map(({ folded, written }) => ({ folded, written }))

/**
 * Whether folding leaves next to nothing of a word: `ъъъщщ` sounds like no name, though many begin with its one sound. An
 * accent is not typed as a letter, however many there are.
 */
export const isNoise = (text: string): boolean =>
  [...wordsOf(text)].some(
    ({ folded: { length }, typed }) => (length > 0 && length * 2 < typed) || (length === 1 && typed > 1),
  )

const ACCENT = /^\p{M}$/u

/** The words of a text, also those that sound like nothing, each with how many letters were typed for it. */
function* wordsOf(text: string): Generator<Written & { typed: number }> {
  const source = plain(text)
  let word = { folded: '', written: '', typed: 0 }
  for (const { sound, at, end } of [...soundsOf(source), { sound: ' ', at: 0, end: 0 }]) {
    if (sound === ' ') {
      yield word
      word = { folded: '', written: '', typed: 0 }
      continue
    }
    const letters = source.slice(at, end)
    word.written += letters.toLowerCase()
    if (!ACCENT.test(letters)) word.typed += 1
    for (const letter of sound) if (!word.folded.endsWith(letter)) word.folded += letter
  }
}

export function foldWithPlaces(source: string): Folded {
  const folded: Folded = { text: '', from: [], to: [] }
  for (const { sound, at, end } of soundsOf(source)) {
    for (const letter of sound) {
      // A doubled letter sounds as one, and separators come once.
      if (folded.text.endsWith(letter)) {
        folded.to[folded.to.length - 1] = end
        continue
      }
      folded.text += letter
      folded.from.push(at)
      folded.to.push(end)
    }
  }
  return trimmed(folded)
}

/** The sounds of a text, and where in it each comes from. */
function* soundsOf(source: string): Generator<{ sound: string; at: number; end: number }> {
  for (let at = 0; at < source.length; ) {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0)
    const four = source.slice(at, at + 4).toLowerCase()
    const together = TOGETHER.find(([letters]) => four.startsWith(letters))
    const end = at + (together ? together[0].length : letter.length)
    yield { sound: together ? together[1] : soundOf(lowerOf(letter)), at, end }
    at = end
  }
}

/** A letter in lower case, which for `İ` has an accent of its own. */
const lowerOf = (letter: string) => {
  const lower = letter.toLowerCase()
  return lower.length > letter.length ? lower.replace(/\p{M}/gu, '') : lower
}

function soundOf(letter: string): string {
  const sound = SOUNDS.get(letter)
  if (sound !== undefined) return sound
  // An accent stands on the letter before it, and what can't be seen is in the middle of words.
  return /[\p{L}\p{N}]/u.test(letter) ? letter : /[\p{M}\p{Cf}]/u.test(letter) ? '' : ' '
}

function trimmed({ text, from, to }: Folded): Folded {
  const start = text.startsWith(' ') ? 1 : 0
  const end = text.length > start && text.endsWith(' ') ? text.length - 1 : text.length
  return { text: text.slice(start, end), from: from.slice(start, end), to: to.slice(start, end) }
}
