/** What other people's work may be built in: licences, crates that are not wanted, crates that are there twice. */

/** Licences that ask for no more than a notice. */
export const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'CDLA-Permissive-2.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
])

/** MPL-2.0 asks for the source of changed files: for tests and tools, which nobody gets. */
export const TOOLS = new Set([...LICENCES, 'MPL-2.0'])

/** Crates that must not come in, also not by way of another. */
export const BANNED = {
  'openssl-sys': 'TLS is rustls with ring: no library of the system',
  'native-tls': 'the same',
  'aws-lc-sys': 'a second provider of TLS, and a C++ build of minutes',
}

/** Crates of which the binary has two versions, and who asks for the older one. Anything else is a mistake. */
export const TWICE = {
  base64: 'deno_core, metrics-exporter-prometheus, tower-sessions-core',
  getrandom: 'ring (0.2), rand 0.9 (0.3)',
  hashbrown: 'dashmap (0.14), governor and metrics-util (0.16)',
  miniz_oxide: 'png',
  rand: 'metrics-util, opentelemetry_sdk, tower-sessions-core',
  rand_core: 'rand 0.9',
  'regex-syntax': 'phonenumber by regex-cache',
  syn: 'macros of deno_core and pin-project, which run at build time only',
  'tower-http': 'reqwest',
}

/** Crates of the binary under other terms, and why these can be met: they are used unchanged, their source is public. */
export const NAMED = { 'cooked-waker': 'MPL-2.0, by deno_core' }

/** Advisories that stand although they are known, by their ids, and why they do no harm here. */
export const ACCEPTED = {}

/** Whether an SPDX expression can be met with these licences. The slash is how crates once wrote OR. */
export function isMet(expression, licences) {
  const tokens = expression.replaceAll('/', ' OR ').replaceAll(/[()]/g, ' $& ').split(/\s+/).filter(Boolean)
  const either = () => {
    let met = both()
    while (tokens[0] === 'OR') {
      tokens.shift()
      met = both() || met
    }
    return met
  }
  const both = () => {
    let met = one()
    while (tokens[0] === 'AND') {
      tokens.shift()
      met = one() && met
    }
    return met
  }
  const one = () => {
    let name = tokens.shift() ?? ''
    if (name === '(') {
      const met = either()
      tokens.shift()
      return met
    }
    if (tokens[0] === 'WITH') name += ` ${tokens.shift()} ${tokens.shift()}`
    return licences.has(name)
  }
  const met = either()
  return met && tokens.length === 0
}
