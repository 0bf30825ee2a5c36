// console: to the log of the server, by way of an op.
(() => {
  const { op_ssr_console } = Deno.core.ops
  const text = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return String(value.stack ?? value)
    if (typeof value === 'object' && value !== null) {
      try {
        return JSON.stringify(value) ?? String(value)
      } catch {
        return Object.prototype.toString.call(value)
      }
    }
    return String(value)
  }
  // printf-style marks, as React uses them in its warnings.
  const format = (values) => {
    const [first, ...rest] = values
    if (typeof first !== 'string') return values.map(text).join(' ')
    const head = first.replace(/%[sdifoOcj%]/g, (mark) => {
      if (mark === '%%') return '%'
      if (rest.length === 0) return mark
      const value = rest.shift()
      return mark === '%c' ? '' : text(value)
    })
    return [head, ...rest.map(text)].join(' ')
  }
  const log =
    (level) =>
    (...values) =>
      op_ssr_console(level, format(values))
  const quiet = () => {}
  const console = {
    error: log(0),
    warn: log(1),
    info: log(2),
    log: log(2),
    debug: log(3),
    trace: log(3),
    assert: (holds, ...values) => holds || log(0)('Assertion failed:', ...values),
    dir: (value) => log(2)(value),
    group: quiet,
    groupCollapsed: quiet,
    groupEnd: quiet,
    time: quiet,
    timeEnd: quiet,
    timeStamp: quiet,
    count: quiet,
    table: (value) => log(2)(value),
  }
  Object.defineProperty(globalThis, 'console', {
    value: console,
    writable: true,
    configurable: true,
  })
})()
