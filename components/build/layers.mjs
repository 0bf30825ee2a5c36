/**
 * Takes the cascade layers out of a style sheet, for browsers that do not know them and would drop every rule. What a
 * layer outranks, its selectors outrank by ids that no element has. The numbers are fixed, so that sheets of different
 * screens agree; a rule of no layer outranks them all.
 */

const WEIGHTS = { reset: 0, tokens: 0, base: 0, ui: 1, parts: 2, pages: 3 }
const NO_LAYER = 4
const WEIGHT = ':not(#_)'

/** `css` is what the bundler writes: without comments, one rule after another. */
export function withoutLayers(css) {
  return flatRules(css, NO_LAYER)
}

function flatRules(css, weight) {
  let flat = ''
  for (let at = 0; ; ) {
    const end = next(css, at, '{;')
    if (end === css.length) return flat
    const head = css.slice(at, end).trim()
    if (css[end] === ';') {
      // The order of the layers is that of the weights.
      if (!head.startsWith('@layer')) flat += `${head};\n`
      at = end + 1
      continue
    }
    const close = next(css, end + 1, '}')
    flat += flatRule(head, css.slice(end + 1, close), weight)
    at = close + 1
  }
}

function flatRule(head, body, weight) {
  if (head.startsWith('@layer')) {
    const layer = head.slice('@layer'.length).trim()
    if (!(layer in WEIGHTS)) throw new Error(`no weight for the layer "${layer}"`)
    return flatRules(body, WEIGHTS[layer])
  }
  if (/^@(media|supports|container)/.test(head)) return `${head} {\n${flatRules(body, weight)}}\n`
  if (head.startsWith('@')) return `${head} {${body}}\n`
  if (next(body, 0, '{') < body.length) throw new Error(`a rule inside of "${head}"`)
  return `${heavier(head, weight)} {${body}}\n`
}

function heavier(selectors, weight) {
  const all = []
  for (let at = 0; at <= selectors.length; ) {
    const end = next(selectors, at, ',')
    all.push(selectors.slice(at, end).trim())
    at = end + 1
  }
  return all.map((one) => withWeight(one, WEIGHT.repeat(weight))).join(', ')
}

/** It stands at the end, before the name of a pseudo-element. */
function withWeight(selector, weight) {
  const pseudo = selector.indexOf('::')
  return pseudo < 0 ? selector + weight : selector.slice(0, pseudo) + weight + selector.slice(pseudo)
}

/** Where one of `signs` stands next, outside of brackets and texts; the end when none does. */
export function next(css, from, signs) {
  let depth = 0
  for (let at = from; at < css.length; at++) {
    const sign = css[at]
    if (depth === 0 && signs.includes(sign)) return at
    if (sign === '\\') at++
    else if (sign === '"' || sign === "'") at = endOfText(css, at)
    else if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
  }
  return css.length
}

function endOfText(css, from) {
  for (let at = from + 1; at < css.length; at++) {
    if (css[at] === '\\') at++
    else if (css[at] === css[from]) return at
  }
  return css.length
}
