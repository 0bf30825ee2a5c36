/** Letters whose font came late. */

/**
 * Chromium leaves the box of a missing letter in words that were laid out before the font with it came (LC-22), on later
 * pages too. They are laid out anew for the fonts that are there, and for each that comes.
 */
export function drawLetters(): void {
  const { fonts } = document
  if ([...fonts].some(({ status }) => status === 'loaded')) layOut()
  fonts.addEventListener('loadingdone', layOut)
}

/** Ways to join letters, of which those of the product's languages know none. */
const WAYS = ['none', 'no-common-ligatures', 'no-contextual']
let at = 0

/**
 * A change of how letters are joined has all words laid out. It stays: words that are joined as before come with their
 * boxes out of the browser's memory.
 */
function layOut(): void {
  document.documentElement.style.fontVariantLigatures = WAYS[at++ % WAYS.length] ?? ''
}
