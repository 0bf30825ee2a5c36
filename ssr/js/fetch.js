// Headers, Request, Response and FormData: the parts that a router's static handler touches.
// Bodies are strings; there is no fetch, because a render has no I/O.
(() => {
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  class Headers {
    #entries = new Map()
    constructor(from) {
      if (from === undefined || from === null) return
      const pairs = typeof from[Symbol.iterator] === 'function' ? from : Object.entries(from)
      for (const [name, value] of pairs) this.append(name, value)
    }
    append(name, value) {
      const key = String(name).toLowerCase()
      const old = this.#entries.get(key)
      this.#entries.set(key, old === undefined ? String(value) : `${old}, ${value}`)
    }
    set(name, value) {
      this.#entries.set(String(name).toLowerCase(), String(value))
    }
    get(name) {
      return this.#entries.get(String(name).toLowerCase()) ?? null
    }
    has(name) {
      return this.#entries.has(String(name).toLowerCase())
    }
    delete(name) {
      this.#entries.delete(String(name).toLowerCase())
    }
    getSetCookie() {
      const cookies = this.get('set-cookie')
      return cookies === null ? [] : [cookies]
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this)
    }
    *entries() {
      yield* [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1))
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
  }

  class Body {
    bodyUsed = false
    #text
    constructor(body) {
      this.#text = body === undefined || body === null ? null : String(body)
    }
    get body() {
      return this.#text
    }
    async text() {
      this.bodyUsed = true
      return this.#text ?? ''
    }
    async json() {
      return JSON.parse(await this.text())
    }
    async formData() {
      const form = new FormData()
      for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value)
      return form
    }
  }

  class Request extends Body {
    constructor(input, init = {}) {
      const from = input instanceof Request ? input : undefined
      const method = String(init.method ?? from?.method ?? 'GET').toUpperCase()
      const body = init.body ?? from?.body
      if ((method === 'GET' || method === 'HEAD') && body !== undefined && body !== null) {
        throw new TypeError(`a ${method} request has no body`)
      }
      super(body)
      this.method = method
      this.url = from ? from.url : new URL(input).href
      this.headers = new Headers(init.headers ?? from?.headers)
      this.signal = init.signal ?? from?.signal ?? new AbortController().signal
      this.redirect = init.redirect ?? from?.redirect ?? 'follow'
      this.mode = init.mode ?? from?.mode ?? 'cors'
      this.credentials = init.credentials ?? from?.credentials ?? 'same-origin'
    }
    clone() {
      return new Request(this)
    }
  }

  class Response extends Body {
    type = 'default'
    redirected = false
    url = ''
    constructor(body, init = {}) {
      super(body)
      this.status = init.status ?? 200
      this.statusText = init.statusText ?? ''
      this.headers = new Headers(init.headers)
    }
    get ok() {
      return this.status >= 200 && this.status < 300
    }
    clone() {
      return new Response(this.body, this)
    }
    static json(data, init = {}) {
      const headers = new Headers(init.headers)
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      return new Response(JSON.stringify(data), { ...init, headers })
    }
    static redirect(url, status = 302) {
      return new Response(null, { status, headers: { location: String(url) } })
    }
    static error() {
      return Object.assign(new Response(null, { status: 0 }), { type: 'error' })
    }
  }

  class FormData {
    #pairs = []
    append(name, value) {
      this.#pairs.push([String(name), String(value)])
    }
    set(name, value) {
      this.delete(name)
      this.append(name, value)
    }
    get(name) {
      return this.#pairs.find(([one]) => one === name)?.[1] ?? null
    }
    getAll(name) {
      return this.#pairs.filter(([one]) => one === name).map(([, value]) => value)
    }
    has(name) {
      return this.#pairs.some(([one]) => one === name)
    }
    delete(name) {
      this.#pairs = this.#pairs.filter(([one]) => one !== name)
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this)
    }
    entries() {
      return this.#pairs[Symbol.iterator]()
    }
    *keys() {
      for (const [name] of this.#pairs) yield name
    }
    *values() {
      for (const [, value] of this.#pairs) yield value
    }
    [Symbol.iterator]() {
      return this.entries()
    }
  }

  define('Headers', Headers)
  define('Request', Request)
  define('Response', Response)
  define('FormData', FormData)
})()
