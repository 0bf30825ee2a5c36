/**
 * Takes the cascade layers out of a style sheet, for browsers that do not know them and would drop every rule. What a
 * layer outranks, its selectors outrank by ids that no element has. The numbers are fixed, so that sheets of different
 * screens agree; a rule of no layer outranks them all. The controls outrank the base by their classes alone: it comes
 * before them in every document, and no selector of it weighs more than one class.
 */

const WEIGHTS = { reset: 0, tokens: 0, base: 0, ui: 0, parts: 1, pages: 2 }
const NO_LAYER = { name: '', weight: 3 }
const WEIGHT = ':not(#_)'

/** `css` is what the bundler writes: without comments, one rule after another. */
export function withoutLayers(css) {
  return flatRules(css, NO_LAYER)
}

function flatRules(css, layer) {
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
    flat += flatRule(head, css.slice(end + 1, close), layer)
    at = close + 1
  }
}

function flatRule(head, body, layer) {
  if (head.startsWith('@layer')) {
    const name = head.slice('@layer'.length).trim()
    if (!(name in WEIGHTS)) throw new Error(`no weight for the layer "${name}"`)
    return flatRules(body, { name, weight: WEIGHTS[name] })
  }
  if (/^@(media|supports|container)/.test(head)) return `${head} {\n${flatRules(body, layer)}}\n`
  if (head.startsWith('@')) return `${head} {${body}}\n`
  if (next(body, 0, '{') < body.length) throw new Error(`a rule inside of "${head}"`)
  return `${heavier(head, layer)} {${body}}\n`
}

function heavier(selectors, { name, weight }) {
  const all = []
  for (let at = 0; at <= selectors.length; ) {
    const end = next(selectors, at, ',')
    all.push(selectors.slice(at, end).trim())
    at = end + 1
  }
  for (const one of all) {
    if (name === 'ui' ? classesOf(one) < 1 : weight === 0 && classesOf(one) > 1)
      throw new Error(
        `"${one}" of the layer ${name}: the base weighs at most one class, the controls at least one`,
      )
  }
  return all.map((one) => withWeight(one, WEIGHT.repeat(weight))).join(', ')
}

/** How many classes a selector weighs. */
function classesOf(selector) {
  const weighed = selector
    .replace(/:where\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/::[\w-]+/g, '')
    .replace(/:(?:not|is|has)\(/g, '(')
  return weighed.match(/[.[:]/g)?.length ?? 0
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
