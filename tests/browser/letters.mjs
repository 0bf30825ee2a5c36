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
    const looks = new Map()
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
      const by = [...range.getClientRects()].map((box) => cutBy(text.parentElement, box, looks)).find(Boolean)
      if (by) lost.push(`"${text.data.trim().slice(0, 40)}" is cut by ${by}`)
    }
    return lost
  }

  /** What hides a part of the box without a sign that there is more, and cannot be scrolled. */
  function cutBy(from, box, looks) {
    for (let one = from; one && one !== root; one = one.parentElement) {
      if (!looks.has(one)) looks.set(one, lookOf(one))
      const look = looks.get(one)
      const isWide = box.right > look.right || box.left < look.left
      const isHigh = box.bottom > look.bottom || box.top < look.top
      if (look.scrolls) return null
      if (look.hides && (isWide || isHigh)) {
        const says = isWide ? look.endsInDots : look.isClamped
        return says ? null : `${one.localName}.${one.className}`
      }
      if (look.isFixed) break
    }
    return box.right > root.clientWidth + 1 || box.left < -1 ? 'the window' : null
  }

  /** What an element does to the text in it. Asked once: hundreds of texts stand in the same boxes. */
  function lookOf(element) {
    const style = getComputedStyle(element)
    const its = element.getBoundingClientRect()
    return {
      left: its.left - 1,
      right: its.right + 1,
      top: its.top - 1,
      bottom: its.bottom + 1,
      scrolls: /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`),
      hides: /hidden|clip/.test(style.overflowX),
      endsInDots: style.textOverflow === 'ellipsis',
      isClamped: style.webkitLineClamp !== 'none',
      isFixed: style.position === 'fixed',
    }
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
