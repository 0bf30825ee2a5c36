/**
 * Forms of one word: plurals and cases of the four languages, in folded letters. The same rules as the server's
 * (`server/features/finding/forms.rs`).
 */

/** Fewer letters in common say nothing. */
const LEAST = 3
/** From here on any ending will do: with fewer, words that differ by more than a vowel are others. */
const SURE = 4

/** Kazakh and Georgian put the case behind the plural. A doubled letter is folded to one: `салаттар` is `salatar`. */
const PLURALS = 'lar ler dar der tar ter ar er eb'.split(' ')

/** Russian, with the vowel that comes and goes (`напиток`, `напитки`), Kazakh, Georgian, English. */
const ENDINGS = new Set(
  (
    ' a ah aia am ami e ei em ev i ia iah iam iami ie ih im imi iu o oe ogo oi om omu ov u uiu ego emu ' +
    'ek ok ka kah kam kami ke ki koi kov ku ets tsa tsam tsami tse tsi tsov tsu ' +
    'ben da dan de den di din ga ge in men nan nen ni nin pen si ta tan te ten ti tin ' +
    'ad is it ma s ze es'
  ).split(' '),
)

const VOWEL = /^[aeiou]/

/** Whether two folded words are forms of one. */
export function alike(one: string, other: string): boolean {
  let common = 0
  while (common < one.length && one[common] === other[common]) common += 1
  // The endings may begin alike.
  for (let stem = common; stem >= LEAST; stem--) {
    const [a, b] = [one.slice(stem), other.slice(stem)]
    const close = a === '' || b === '' || (VOWEL.test(a) && VOWEL.test(b))
    if ((close || stem >= SURE) && isEnding(a) && isEnding(b)) return true
  }
  return false
}

function isEnding(rest: string): boolean {
  return (
    ENDINGS.has(rest) ||
    PLURALS.some((plural) => rest.startsWith(plural) && ENDINGS.has(rest.slice(plural.length)))
  )
}
