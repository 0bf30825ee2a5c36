// Timers: a queue of "as soon as possible", emptied by the engine between microtasks while a
// render's promise is pending. There is no clock in a render, so a timer with a delay never
// fires. What is left when a render ends is thrown away: it must not run in the next one.
(() => {
  let next = 1
  let queue = new Map()

  const add = (callback, args) => {
    if (typeof callback !== 'function') throw new TypeError('a timer needs a function')
    const id = next++
    queue.set(id, () => callback(...args))
    return id
  }
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  define('setTimeout', (callback, delay, ...args) =>
    Number(delay) > 0 ? next++ : add(callback, args),
  )
  define('setImmediate', (callback, ...args) => add(callback, args))
  define('setInterval', () => next++)
  for (const name of ['clearTimeout', 'clearImmediate', 'clearInterval']) {
    define(name, (id) => {
      queue.delete(id)
    })
  }

  // Time comes with the data. A clock that stands still keeps equal renders equal.
  define('performance', { now: () => 0, timeOrigin: 0, mark() {}, measure() {} })

  // React's server build makes a channel when its module loads and uses it only for streams.
  define(
    'MessageChannel',
    class MessageChannel {
      constructor() {
        const port = (other) => ({
          onmessage: null,
          postMessage(data) {
            add(() => other()?.onmessage?.({ data }), [])
          },
          close() {},
        })
        this.port1 = port(() => this.port2)
        this.port2 = port(() => this.port1)
      }
    },
  )

  // What the engine calls. Not enumerable, so a bundle does not meet it by chance.
  Object.defineProperty(globalThis, '__ssr', {
    value: Object.freeze({
      /** Runs what is queued now; tells whether there was anything. */
      turn() {
        if (queue.size === 0) return false
        const now = queue
        queue = new Map()
        for (const run of now.values()) run()
        return true
      },
      /** Forgets what a render left behind, and counts the ids anew, so that renders are alike. */
      reset() {
        if (queue.size > 0) queue = new Map()
        next = 1
      },
    }),
  })
})()
