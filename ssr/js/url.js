// URL and URLSearchParams over the Rust crate `url`, which follows the standard.
(() => {
  const { op_ssr_url_parse, op_ssr_url_set, op_ssr_query_parse, op_ssr_query_write } =
    Deno.core.ops
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  class URLSearchParams {
    // Names and values by turns.
    #pairs = []
    #changed = null

    constructor(from = '') {
      if (typeof from === 'object' && from !== null) {
        const pairs = typeof from[Symbol.iterator] === 'function' ? from : Object.entries(from)
        for (const [name, value] of pairs) this.#pairs.push(String(name), String(value))
      } else {
        const text = String(from)
        if (text !== '') this.#read(text.startsWith('?') ? text.slice(1) : text)
      }
    }
    #read(query) {
      this.#pairs = query === '' ? [] : op_ssr_query_parse(query)
    }
    #at(name) {
      const pairs = this.#pairs
      for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === name) return i
      return -1
    }
    /** Ties the parameters to a URL: for URL only. */
    static tie(query, changed) {
      const params = new URLSearchParams(query)
      params.#changed = changed
      return params
    }
    /** Reads a query that was set on the URL: for URL only. */
    static renew(params, query) {
      params.#read(query)
    }
    get size() {
      return this.#pairs.length / 2
    }
    append(name, value) {
      this.#pairs.push(String(name), String(value))
      this.#changed?.()
    }
    delete(name, value) {
      const kept = []
      const pairs = this.#pairs
      for (let i = 0; i < pairs.length; i += 2) {
        const out = pairs[i] === String(name) && (value === undefined || pairs[i + 1] === String(value))
        if (!out) kept.push(pairs[i], pairs[i + 1])
      }
      this.#pairs = kept
      this.#changed?.()
    }
    get(name) {
      const at = this.#at(String(name))
      return at < 0 ? null : this.#pairs[at + 1]
    }
    getAll(name) {
      const wanted = String(name)
      return this.#pairs.filter((_, i) => i % 2 === 1 && this.#pairs[i - 1] === wanted)
    }
    has(name, value) {
      return value === undefined
        ? this.#at(String(name)) >= 0
        : this.getAll(name).includes(String(value))
    }
    set(name, value) {
      const at = this.#at(String(name))
      if (at < 0) {
        this.append(name, value)
        return
      }
      const wanted = String(name)
      this.#pairs[at + 1] = String(value)
      const pairs = this.#pairs
      this.#pairs = pairs.filter((_, i) => {
        const start = i - (i % 2)
        return start <= at || pairs[start] !== wanted
      })
      this.#changed?.()
    }
    sort() {
      const entries = [...this]
      entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      this.#pairs = entries.flat()
      this.#changed?.()
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this)
    }
    *entries() {
      for (let i = 0; i < this.#pairs.length; i += 2) yield [this.#pairs[i], this.#pairs[i + 1]]
    }
    *keys() {
      for (const [name] of this) yield name
    }
    *values() {
      for (const [, value] of this) yield value
    }
    [Symbol.iterator]() {
      return this.entries()
    }
    toString() {
      return this.#pairs.length === 0 ? '' : op_ssr_query_write(this.#pairs)
    }
  }
  const { tie, renew } = URLSearchParams
  delete URLSearchParams.tie
  delete URLSearchParams.renew

  const names = [
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ]

  // A router makes one URL for each link of a page. Those that parsing would not change (plain
  // letters, no dot segments, an origin of letters) are read here, without a call to Rust.
  const origin = /^(https?:)\/\/([a-z]+(?:\.[a-z]+)*)$/
  const whole = /^(https?:\/\/[a-z]+(?:\.[a-z]+)*)(\/.*)$/
  const plain =
    /^(\/(?!\/)[\w\-~!$&()*+,;=:@%./]*)(\?[\w\-~!$&()*+,;=:@%./?]+)?(#[\w\-~!$&()*+,;=:@%./?]+)?$/
  const dots = /\/\.|%2e/i

  const parse = (href, base) => {
    const split = base === '' ? whole.exec(href) : null
    const [start, rest] = split ? [split[1], split[2]] : [base, href]
    const from = origin.exec(start)
    const to = from && plain.exec(rest)
    if (!to || dots.test(to[1])) return op_ssr_url_parse(href, base)
    const [, protocol, host] = from
    const [, path, query = '', hash = ''] = to
    return [start + rest, start, protocol, '', '', host, host, '', path, query, hash]
  }

  class URL {
    #parts
    #params = null

    constructor(href, base) {
      this.#parts = parse(String(href), base === undefined ? '' : String(base))
      if (this.#parts.length === 0) throw new TypeError(`Invalid URL: ${href}`)
    }
    static canParse(href, base) {
      return op_ssr_url_parse(String(href), base === undefined ? '' : String(base)).length > 0
    }
    static parse(href, base) {
      return URL.canParse(href, base) ? new URL(href, base) : null
    }
    static {
      names.forEach((name, i) => {
        const set = function (value) {
          if (name === 'origin') return
          if (name === 'href') {
            const parts = op_ssr_url_parse(String(value), '')
            if (parts.length === 0) throw new TypeError(`Invalid URL: ${value}`)
            this.#parts = parts
          } else {
            this.#parts = op_ssr_url_set(this.#parts[0], name, String(value))
          }
          if (this.#params && (name === 'search' || name === 'href')) {
            renew(this.#params, this.#parts[9].slice(1))
          }
        }
        Object.defineProperty(URL.prototype, name, {
          get() {
            return this.#parts[i]
          },
          set,
          enumerable: true,
          configurable: true,
        })
      })
    }
    get searchParams() {
      this.#params ??= tie(this.#parts[9].slice(1), () => {
        this.#parts = op_ssr_url_set(this.#parts[0], 'search', this.#params.toString())
      })
      return this.#params
    }
    toString() {
      return this.#parts[0]
    }
    toJSON() {
      return this.#parts[0]
    }
  }

  define('URL', URL)
  define('URLSearchParams', URLSearchParams)
})()
