/**
 * `node components/build/compat.mjs DIR`: holds a build to its oldest browsers (`settings.mjs`) by the data of MDN.
 * The styles are for all browsers from `STYLE_BROWSERS` on, the scripts for those that pass the test of features. What
 * is newer must be known here, with what happens where it is missing, or stand behind `@supports`.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parse } from 'acorn'
import { next } from './layers.mjs'
import { APP_BROWSERS, STYLE_BROWSERS } from './settings.mjs'

/** Features newer than the oldest browsers: what a guest misses without them. */
const KNOWN_STYLES = {
  ':backdrop': 'the sheet draws its shade itself; without it a browser adds its own',
  ':focus-visible': "the browser's own ring shows",
  ':has':
    'the page behind a sheet scrolls, a sheet is shown before its end arrives, sold-out photos stay bright, Home can be given a name that is not taken',
  ':modal': 'a sheet does not rise, it is there',
  '@media (forced-colors)': 'what is chosen has the colour that the page gives it',
  '@media (scripting)': 'a sheet lies over the page and is closed by its link',
  'accent-color': "boxes have the browser's colour",
  'align-content': 'a row is stretched',
  'align-self': 'a part is stretched',
  appearance: 'written with the prefix by the bundler',
  'aspect-ratio': 'the photo has the height of its file',
  'block-size': 'Firefox before 94: a dialog is as high as the screen',
  'border-start-end-radius': 'a corner is not round',
  'color-scheme': 'fields and bars of the browser stay light in the dark',
  'contain-intrinsic-block-size': 'belongs to content-visibility',
  'content-visibility': 'long menus are drawn whole',
  cursor: 'phones have none',
  'forced-color-adjust': 'signs are gone where a guest has colours of their own; Safari has none of these',
  'forced-color-adjust: auto': 'belongs to forced-color-adjust',
  'forced-color-adjust: none': 'belongs to forced-color-adjust',
  hyphens: 'written with the prefix by the bundler; else a long word breaks where it is full',
  'inline-size': 'Firefox before 94: a pill is as wide as its line',
  'overflow-wrap': 'a very long word makes its box wider',
  'overscroll-behavior': 'the page scrolls on behind a list at its end',
  'place-items': 'a part is stretched',
  'place-self': 'a part is stretched',
  resize: 'phones have no corner to pull',
  'scroll-behavior': 'a leap instead of a glide',
  'scroll-margin-block-start': 'a heading stops under the header',
  'scroll-margin-block-end': 'the field of own tips may stand under the order button',
  'scroll-padding-block': 'a heading stops under the header',
  'scroll-padding-block-start': 'a heading stops under the header',
  'scroll-padding-block-end': 'a field that is led to may stand under the order button',
  'scroll-padding-inline': 'a chip stops at the edge',
  'scrollbar-gutter': 'the page moves aside by its bar under a sheet',
  'scrollbar-width': "the browser's own bar shows",
  'text-wrap': 'a heading breaks where it is full',
  'user-select': 'written with the prefix by the bundler',
}
const OWN = 'a name in our own data'
const REACT = 'React asks whether it is there'
const VITALS = 'web-vitals asks whether it is there: without it that figure is not told'
const PUSH = 'notifications are offered only where the browser has them'
const KNOWN_SCRIPTS = {
  replaceSync: 'the motion asks for adoptedStyleSheets, which came with it',
  permissions:
    'asked inside of a try: without it it is not known whether the guest has agreed, and a tap asks',
  TouchEvent: 'Leaflet asks whether it is there',
  allowsFeature: 'asked with a question mark: without it a camera that is not passed on counts as refused',
  animation: 'React: a style, not a script',
  canIntercept: REACT,
  connection: 'what saves data is asked for with a question mark',
  currentEntry: REACT,
  delay: OWN,
  dispose: 'the reader of barcodes asks whether there is such a symbol',
  detect: 'without it our own reader of barcodes is fetched',
  downlink: 'what saves data is asked for with a question mark',
  firesTouchEvents: REACT,
  getCapabilities: 'asked with a question mark: without it no light and no zoom are offered',
  getSupportedFormats: 'without it our own reader of barcodes is fetched',
  grow: 'of WebAssembly.Memory, which all of them have',
  hasBeenActive: 'belongs to userActivation',
  effectiveType: 'what saves data is asked for with a question mark',
  fromElement: REACT,
  imageSizes: REACT,
  popover: 'an attribute that React knows the name of',
  rotation: OWN,
  saveData: 'what saves data is asked for with a question mark',
  setStatus: 'the reader of barcodes asks whether it is there',
  share: 'the button is there where it is',
  skipTransition: REACT,
  sourceCapabilities: REACT,
  startViewTransition: REACT,
  transferSize: REACT,
  transition: REACT,
  userActivation:
    'asked with a question mark: without it a dish that is opened by its address has the focus on its title',
  vibrate: 'asked with a question mark: a phone without it stays silent',
  PerformanceEventTiming: VITALS,
  PerformanceSoftNavigation: VITALS,
  activationStart: VITALS,
  cancelIdleCallback: VITALS,
  getLargestInteractionContentfulPaint: VITALS,
  getSubscription: PUSH,
  hadRecentInput: VITALS,
  interactionCount: VITALS,
  interactionId: VITALS,
  largestContentfulPaint: VITALS,
  paintTime: VITALS,
  permission: PUSH,
  prerendering: VITALS,
  presentationTime: VITALS,
  pushManager: PUSH,
  renderTime: VITALS,
  requestIdleCallback: VITALS,
  requestPermission: PUSH,
  wasDiscarded: VITALS,
  wakeLock: 'a tablet without it sleeps when its owner lets it',
}

const data = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** Whether all of the browsers know a feature, without a flag or a prefix. */
function isKnown({ __compat: compat }, browsers) {
  return Object.entries(browsers).every(([browser, version]) =>
    [compat.support[browser] ?? []]
      .flat()
      .some(
        ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) =>
          !flags && !prefix && !other && isAtMost(added, version) && !isAtMost(removed, version),
      ),
  )
}

function isAtMost(added, version) {
  if (typeof added !== 'string' || added === 'preview') return false
  const parts = (text) => text.replace('≤', '').split('.').map(Number)
  const [one, other] = [parts(added), parts(version)]
  for (let at = 0; at < 2; at++) {
    const apart = (one[at] ?? 0) - (other[at] ?? 0)
    if (apart !== 0) return apart < 0
  }
  return true
}

/** Every feature that a sheet uses outside of `@supports`, by a name that a person finds. */
function stylesOf(css, found = new Map()) {
  for (let at = 0; ; ) {
    const end = next(css, at, '{;')
    if (end === css.length) return found
    const head = css.slice(at, end).trim()
    if (css[end] === ';') {
      at = end + 1
      continue
    }
    const close = next(css, end + 1, '}')
    noteRule(head, css.slice(end + 1, close), found)
    at = close + 1
  }
}

function noteRule(head, body, found) {
  const { css } = data
  const name = /^@([a-z-]+)/.exec(head)?.[1]
  if (name === 'supports') return
  if (name) note(found, `@${name}`, css['at-rules'][name])
  if (name === 'media') {
    for (const [, feature] of head.matchAll(/\((?:min-|max-)?([a-z-]+)/g))
      note(found, `@media (${feature})`, css['at-rules'].media[feature])
  }
  if (name === 'media' || name === 'container' || name === 'keyframes') stylesOf(body, found)
  else noteDeclarations(body, found, name === 'font-face')
  if (name) return
  for (const [, pseudo] of head.matchAll(/::?([a-z-]+)/g)) {
    if (!pseudo.startsWith('-')) note(found, `:${pseudo}`, css.selectors[pseudo])
  }
}

function noteDeclarations(body, found, isFont) {
  const { css } = data
  for (let at = 0; at < body.length; ) {
    const end = next(body, at, ';')
    const [property, ...rest] = body.slice(at, end).split(':')
    const [name, value] = [property.trim(), rest.join(':').replace(/"[^"]*"|url\([^)]*\)/g, '')]
    at = end + 1
    if (isFont || name.startsWith('--') || name.startsWith('-')) continue
    const known = css.properties[name]
    if (name) note(found, name, known)
    for (const [, word] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)(?![\w(-])/g))
      if (known?.[word]) note(found, `${name}: ${word}`, known[word])
    for (const [, called] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g))
      note(found, `${called}()`, functions.get(called))
    for (const [, unit] of value.matchAll(/(?<![\w#-])[\d.]+([a-z]+)/g))
      note(found, unit, css.types.length[unit])
  }
}

function note(found, name, feature) {
  if (feature?.__compat) found.set(name, feature)
}

/** CSS functions by name, wherever the data keeps them. */
const functions = new Map()
function noteFunctions(branch) {
  for (const [name, feature] of Object.entries(branch)) {
    if (name === '__compat' || typeof feature !== 'object') continue
    if (feature.__compat && !functions.has(name)) functions.set(name, feature)
    noteFunctions(feature)
  }
}
noteFunctions(data.css.types)

/** Members of scripts by name: new are those that no older object has as well. */
function membersByName(browsers) {
  const all = new Map()
  const add = (name, feature, path) => {
    if (!feature.__compat || !/^[A-Za-z]\w+$/.test(name)) return
    const { newer, paths } = all.get(name) ?? { newer: true, paths: [] }
    all.set(name, { newer: newer && !isKnown(feature, browsers), paths: [...paths, path] })
  }
  for (const home of [data.javascript.builtins, data.api]) {
    for (const [object, members] of Object.entries(home)) {
      add(object, members, object)
      for (const [name, feature] of Object.entries(members)) {
        if (name.endsWith('_event') || name.endsWith('_static')) {
          if (name.endsWith('_static')) add(name.slice(0, -'_static'.length), feature, `${object}.${name}`)
        } else if (name !== '__compat') add(name, feature, `${object}.${name}`)
      }
    }
  }
  return all
}

/** What is read of an object, called by its bare name, or given to things of the scripts' own. */
function namesOf(scripts) {
  const [members, bare, own] = [new Set(), new Set(), new Set()]
  const nameOf = ({ computed, key, property }) => {
    const name = key ?? property
    return computed ? name.value : (name.name ?? name.value)
  }
  const visit = (node) => {
    if (node.type === 'MemberExpression') members.add(nameOf(node))
    // A name that the scripts give to things of their own tells nothing.
    else if (/^(Property|PropertyDefinition|MethodDefinition)$/.test(node.type)) own.add(nameOf(node))
    else if (/^(Call|New)Expression$/.test(node.type) && node.callee.type === 'Identifier')
      bare.add(node.callee.name)
    else if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      own.add(nameOf(node.left))
    for (const part of Object.values(node)) for (const child of [part].flat()) if (child?.type) visit(child)
  }
  for (const script of scripts) visit(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }))
  return { members, bare, own }
}

function newScripts({ members, bare, own }, scripts, browsers) {
  const known = membersByName(browsers)
  const globals = new Set([
    ...Object.keys(data.javascript.builtins),
    ...Object.keys(data.api),
    ...Object.keys(data.api.Window),
  ])
  const isNew = (name) => known.get(name)?.newer === true && !own.has(name)
  return [
    ...[...members].filter(isNew),
    ...[...bare].filter((name) => globals.has(name) && isNew(name) && !members.has(name)),
    ...newSelectors(scripts.join('\n'), browsers),
  ]
}

/** What is looked for by a selector: one that is not understood throws. */
function newSelectors(script, browsers) {
  const asked = script.matchAll(/\.(?:matches|closest|querySelector(?:All)?)\(\s*(["'`])(.*?)\1/g)
  const pseudos = [...asked].flatMap(([, , selector]) => [...selector.matchAll(/::?([a-z-]+)/g)])
  const isNew = ([, name]) => {
    const feature = data.css.selectors[name]
    return feature?.__compat && !isKnown(feature, browsers)
  }
  return [...new Set(pseudos.filter(isNew).map(([, name]) => `:${name}`))]
}

const folder = process.argv[2]
if (!folder) {
  console.error('compat.mjs needs the folder of a build')
  process.exit(2)
}
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
const files = readdirSync(join(folder, 'public'))
const readAll = (end) =>
  files.filter((name) => name.endsWith(end)).map((name) => readFileSync(join(folder, 'public', name), 'utf8'))

const found = new Map()
for (const sheet of [...Object.values(manifest.routes).map(({ critical }) => critical), ...readAll('.css')])
  stylesOf(sheet, found)
const newStyles = [...found].filter(([, feature]) => !isKnown(feature, STYLE_BROWSERS)).map(([name]) => name)
report('styles', found.size, newStyles, KNOWN_STYLES, STYLE_BROWSERS)

const scripts = [...readAll('.js'), manifest.early]
const names = namesOf(scripts)
report('scripts', names.members.size, newScripts(names, scripts, APP_BROWSERS), KNOWN_SCRIPTS, APP_BROWSERS)

function report(what, count, newer, known, browsers) {
  const line = Object.entries(browsers)
    .map((each) => each.join(' '))
    .join(', ')
  const entryOf = (name) => (name in known ? name : name.split(':', 1)[0])
  const unknown = newer.filter((name) => !(entryOf(name) in known)).sort()
  const used = new Set(newer.map(entryOf))
  const unused = Object.keys(known).filter((name) => !used.has(name))
  const isWell = unknown.length + unused.length === 0
  console.log(
    `${isWell ? 'ok  ' : 'NEW '} ${what} for ${line} and newer: ${count} names, ${newer.length} newer ones known`,
  )
  for (const name of unknown)
    console.log(`     ${name} is newer, and compat.mjs does not say what happens without it`)
  for (const name of unused)
    console.log(`     ${name} is not newer or not used any more: take it off the list`)
  if (!isWell) process.exitCode = 1
}
