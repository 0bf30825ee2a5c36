// Watches a bundle while the snapshot is made. Evaluates to the functions that the step calls.
// Each finding is `[kind, place]`, the place being the innermost stack line in the bundle.
(() => {
  const found = []
  const undo = []
  let pending = new Map()
  const { setPromiseHooks } = Deno.core

  // V8 adds this to a context only when it is restored; without it stacks are empty here.
  const hadLimit = Object.hasOwn(Error, 'stackTraceLimit')
  if (!hadLimit) Error.stackTraceLimit = 20
  undo.push(() => {
    if (!hadLimit) delete Error.stackTraceLimit
  })

  const place = () => {
    const lines = String(new Error().stack).split('\n')
    return lines.find((line) => line.includes('server.js:'))?.trim() ?? 'outside of the bundle'
  }
  const note = (kind, what) => {
    if (found.length < 8) found.push(`${kind}\n${what} ${place()}`)
  }
  const replace = (owner, name, make) => {
    const old = Object.getOwnPropertyDescriptor(owner, name)
    if (!old || typeof old.value !== 'function') return
    Object.defineProperty(owner, name, { ...old, value: make(old.value) })
    undo.push(() => Object.defineProperty(owner, name, old))
  }
  const spy = (kind, what) => (target) =>
    new Proxy(target, {
      construct(...call) {
        note(kind, what)
        return Reflect.construct(...call)
      },
      apply(...call) {
        note(kind, what)
        return Reflect.apply(...call)
      },
    })

  for (const name of Object.getOwnPropertyNames(Intl)) {
    replace(Intl, name, spy('intl', `Intl.${name}`))
  }
  for (const [owner, type] of [
    [Number.prototype, 'Number'],
    [BigInt.prototype, 'BigInt'],
    [Date.prototype, 'Date'],
    [Array.prototype, 'Array'],
  ]) {
    for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
      replace(owner, name, spy('intl', `${type}.${name}`))
    }
  }
  replace(String.prototype, 'localeCompare', spy('intl', 'String.localeCompare'))
  // V8 adds this one too only when a context is restored: here stands what notes its use.
  Object.defineProperty(globalThis, 'WebAssembly', {
    value: new Proxy(
      {},
      {
        get: (_, name) =>
          spy('wasm', `WebAssembly.${String(name)}`)(function () {
            throw new Error('there is no WebAssembly in a snapshot')
          }),
      },
    ),
    configurable: true,
  })
  undo.push(() => delete globalThis.WebAssembly)
  const atEvaluation = undo.length
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    replace(globalThis, name, spy('timer', name))
  }
  setPromiseHooks(
    (promise) => pending.set(promise, place()),
    undefined,
    undefined,
    (promise) => pending.delete(promise),
  )

  return {
    /** What was found so far, for a bundle that threw. */
    thrown: () => found.filter((one) => one.startsWith('wasm')).join('\n\n'),
    /** After the bundle's evaluation: timers and promises may be used from now on. */
    evaluated() {
      setPromiseHooks(undefined, undefined, undefined, undefined)
      for (const back of undo.splice(atEvaluation)) back()
      const places = [...new Set(pending.values())]
      pending = new Map()
      return [...found.splice(0), ...places.slice(0, 8).map((one) => `promise\n${one}`)].join('\n\n')
    },
    /** Before the snapshot is taken: everything is as it was. */
    warmed() {
      for (const back of undo.splice(0)) back()
      return found.splice(0).join('\n\n')
    },
  }
})()
