// DOMException, Event, EventTarget, AbortController and AbortSignal: what routers ask for.
(() => {
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  class DOMException extends Error {
    #name
    constructor(message = '', name = 'Error') {
      super(message)
      this.#name = name
    }
    get name() {
      return this.#name
    }
  }

  class Event {
    defaultPrevented = false
    constructor(type, options = {}) {
      this.type = type
      this.cancelable = options.cancelable === true
    }
    preventDefault() {
      if (this.cancelable) this.defaultPrevented = true
    }
    stopPropagation() {}
  }

  class EventTarget {
    #listeners = []
    addEventListener(type, listener, options) {
      if (listener === null || listener === undefined) return
      if (this.#listeners.some((one) => one.type === type && one.listener === listener)) return
      this.#listeners.push({ type, listener, once: options?.once === true })
    }
    removeEventListener(type, listener) {
      this.#listeners = this.#listeners.filter(
        (one) => one.type !== type || one.listener !== listener,
      )
    }
    dispatchEvent(event) {
      event.target = this
      for (const one of this.#listeners.filter((one) => one.type === event.type)) {
        if (one.once) this.removeEventListener(one.type, one.listener)
        if (typeof one.listener === 'function') one.listener.call(this, event)
        else one.listener.handleEvent(event)
      }
      return !event.defaultPrevented
    }
  }

  let abort
  class AbortSignal extends EventTarget {
    onabort = null
    #aborted = false
    #reason = undefined
    get aborted() {
      return this.#aborted
    }
    get reason() {
      return this.#reason
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason
    }
    static {
      abort = (signal, reason) => {
        if (signal.#aborted) return
        signal.#aborted = true
        signal.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError')
        const event = new Event('abort')
        signal.onabort?.(event)
        signal.dispatchEvent(event)
      }
    }
    static abort(reason) {
      const signal = new AbortSignal()
      abort(signal, reason)
      return signal
    }
    static any(signals) {
      const all = new AbortSignal()
      for (const signal of signals) {
        if (signal.aborted) {
          abort(all, signal.reason)
          break
        }
        signal.addEventListener('abort', () => abort(all, signal.reason))
      }
      return all
    }
    // There is no clock in a render: this one never fires.
    static timeout() {
      return new AbortSignal()
    }
  }

  class AbortController {
    signal = new AbortSignal()
    abort(reason) {
      abort(this.signal, reason)
    }
  }

  define('DOMException', DOMException)
  define('Event', Event)
  define('EventTarget', EventTarget)
  define('AbortSignal', AbortSignal)
  define('AbortController', AbortController)
})()
