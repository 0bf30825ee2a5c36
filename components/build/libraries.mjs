/**
 * React and the router as a bundler can shake them. React comes as CommonJS, of which a bundler keeps everything; the
 * router says that it has no side effects, and has calls at its top that may have some. Nothing of what they do changes.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** React's modules for production, by the names under which they are imported. */
const REACT = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
}

/** For the browser's production build. */
export function shakenLibraries(root) {
  const own = new Map(Object.entries(REACT).map(([name, file]) => [name, join(root, 'node_modules', file)]))
  return {
    name: 'shaken-libraries',
    setup(build) {
      build.onResolve({ filter: /^(react|react-dom|scheduler)(\/|$)/ }, ({ path }) => {
        const file = own.get(path)
        return file ? { path: file } : undefined
      })
      build.onLoad({ filter: /\/(react|react-dom|scheduler)\/cjs\/.*\.js$/ }, ({ path }) => ({
        contents: asModule(readFileSync(path, 'utf8')),
      }))
      build.onLoad({ filter: /\/react-router\/dist\/.*\.js$/ }, ({ path }) => ({
        contents: withoutEffects(readFileSync(path, 'utf8')),
      }))
    },
  }
}

/** CommonJS as React writes it, `exports.name = …` at the left edge, as a module. */
export function asModule(source) {
  const names = new Set([...source.matchAll(/\bexports\.(\w+)/g)].map(([, name]) => name))
  // What is set once, at the top, is a declaration that can go; what is set elsewhere as well stays a variable.
  const once = [...names].filter(
    (name) =>
      source.match(new RegExp(`\\bexports\\.${name}\\s*=[^=]`, 'g'))?.length === 1 &&
      new RegExp(`^exports\\.${name}\\s*=`, 'm').test(source),
  )
  const body = source
    .replace(/^exports\.(\w+)(?=\s*=)/gm, (all, name) => (once.includes(name) ? `var exports_${name}` : all))
    .replace(/\bexports\.(\w+)/g, 'exports_$1')
    .replace(/^var (\w+ = require\("[^"]+"\)(?:,\s+\w+ = require\("[^"]+"\))*);/gm, (_, all) =>
      all.replace(/(\w+) = require\(("[^"]+")\)(?:,\s+)?/g, 'import * as $1 from $2\n'),
    )
  const others = [...names].filter((name) => !once.includes(name)).map((name) => `exports_${name}`)
  const exported = [...names].map((name) => `exports_${name} as ${name}`)
  if (/\b(exports|require)\b/.test(body.replace(/\/\*[\s\S]*?\*\//g, '')))
    throw new Error('not as React writes modules')
  return [
    others.length > 0 ? `var ${others.join(', ')}` : '',
    body,
    `export { ${exported.join(', ')} }`,
  ].join('\n')
}

/** The calls at the top of a module, which make something and do nothing else, are told to be such. */
export function withoutEffects(source) {
  return (
    source
      // As a module React has no default.
      .replace(/^import (\w+) from "react";$/gm, 'import * as $1 from "react";')
      .replace(/^\w+\.displayName = "\w+";$/gm, '')
      .replace(
        /^((?:const|let|var) \w+ = )(?=(?:[\w$]+\.)?(?:createContext|createElement|memo|forwardRef)\(|new (?:Set|Map|WeakMap)\()/gm,
        '$1/* @__PURE__ */ ',
      )
      .replace(/^(var \w+ = )(class extends .*\{(?:\}|\n[\s\S]*?^\}));$/gm, '$1/* @__PURE__ */ (() => $2)();')
  )
}
