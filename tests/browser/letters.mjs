/** What letters twice as large do to a page (AX-08): nothing may go out of the window, and no text out of its box. */

/** How much larger than the browser's own its letters are, by the width of the window. */
const SIZES = { 320: ['150%', '200%'], 360: ['200%'] }

/** What is out of sight with large letters on `page`, whose window is so wide. */
export async function lostInLargeLetters(page, width) {
  const lost = await page.evaluate(outOfSight, SIZES[width] ?? [])
  return lost.map((one) => `${one} at ${width}`)
}

/** Runs in the page. */
function outOfSight(sizes) {
  const root = document.documentElement
  const all = sizes.flatMap((letters) => {
    root.style.fontSize = letters
    return lostNow().map((one) => `${letters}: ${one}`)
  })
  root.style.fontSize = ''
  return all

  function lostNow() {
    const lost = []
    if (root.scrollWidth > root.clientWidth) {
      lost.push(`${root.scrollWidth} px wide in a window of ${root.clientWidth}`)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode
      // A word of the logo that finds no room, the name that the heading says as well, and pins of a map that goes on beyond its edges, may be out of sight.
      if (
        !text.data.trim() ||
        text.parentElement.closest('script, style, [hidden], .vh, .logo, .named, .canvas')
      )
        continue
      if (!text.parentElement.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const by = [...range.getClientRects()].map((box) => cutBy(text.parentElement, box)).find(Boolean)
      if (by) lost.push(`"${text.data.trim().slice(0, 40)}" is cut by ${by}`)
    }
    return lost
  }

  /** What hides a part of the box without a sign that there is more, and cannot be scrolled. */
  function cutBy(from, box) {
    for (let one = from; one && one !== root; one = one.parentElement) {
      const style = getComputedStyle(one)
      const its = one.getBoundingClientRect()
      const isWide = box.right > its.right + 1 || box.left < its.left - 1
      const isHigh = box.bottom > its.bottom + 1 || box.top < its.top - 1
      const name = `${one.localName}.${one.className}`
      if (/auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)) return null
      if (/hidden|clip/.test(style.overflowX) && (isWide || isHigh)) {
        const says = isWide ? style.textOverflow === 'ellipsis' : style.webkitLineClamp !== 'none'
        return says ? null : name
      }
      if (style.position === 'fixed') break
    }
    return box.right > root.clientWidth + 1 || box.left < -1 ? 'the window' : null
  }
}

/** Words of a page, or of a part of it, that are broken in their middle, with the width of their lines; runs in the page. */
export function brokenWords(part = 'body') {
  const broken = new Set()
  const walker = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    const own = text.parentElement
    if (own.closest('script, style, [hidden], .vh, .named, option')) continue
    if (!own.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue
    let block = own
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    const end = block.getBoundingClientRect().bottom
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
      const letters = [...word].map((_, at) => {
        const range = document.createRange()
        range.setStart(text, index + at)
        range.setEnd(text, index + at + 1)
        return range.getBoundingClientRect()
      })
      // What a clamp leaves out is not broken.
      const seen = letters.filter(({ width, bottom }) => width > 0 && bottom <= end + 1)
      if (seen.length < letters.length) continue
      if (seen.some(({ top }) => Math.abs(top - seen[0].top) > 4))
        broken.add(`${word}: ${block.clientWidth} px`)
    }
  }
  return [...broken]
}
