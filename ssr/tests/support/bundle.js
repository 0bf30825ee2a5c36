;(() => {
  const kept = []
  const page = (url, html) => `${JSON.stringify({ title: url })}\n${html}`
  const commands = {
    '/hello': (data) => `<p>${data.name}</p>`,
    '/loop': () => {
      for (;;) {}
    },
    '/loop-in-promise': async () => {
      await null
      for (;;) {}
    },
    // Returning the next promise would chain them all: a fast core filled the heap with those first.
    '/loop-of-microtasks': () =>
      new Promise(() => {
        const again = () => {
          Promise.resolve().then(again)
        }
        again()
      }),
    '/loop-of-timers': () =>
      new Promise(() => {
        const again = () => setTimeout(again, 0)
        again()
      }),
    '/loop-in-finally': () => {
      try {
        for (;;) {}
      } finally {
        for (;;) {}
      }
    },
    // V8's loop unrolling lost the check for termination in this one.
    '/loop-of-arrays': () => {
      for (let i = 0; ; i++) kept[i % 1000] = new Array(1000)
    },
    '/loop-in-regexp': () => String(/^(a+)+$/.test(`${'a'.repeat(50)}b`)),
    '/memory-arrays': () => {
      for (;;) kept.push(new Array(1000).fill(kept.length))
    },
    '/memory-strings': () => {
      for (;;) kept.push(`${kept.length}-${'x'.repeat(100)}`.split(''))
    },
    '/memory-objects': () => {
      let list = null
      for (let i = 0; ; i++) list = { list, i, text: `n${i}` }
    },
    '/memory-one-array': () => {
      const all = []
      for (let i = 0; ; i++) all.push(i + 0.5)
    },
    '/memory-huge-arrays': () => {
      for (;;) kept.push(new Array(30_000_000).fill(1.5))
    },
    '/memory-doubling-string': () => {
      let text = 'word'
      for (;;) {
        text += text
        kept.push(text.split('').length)
      }
    },
    '/memory-map': () => {
      const map = new Map()
      for (let i = 0; ; i++) map.set(`key ${i}`, i)
    },
    '/memory-buffers': () => {
      for (;;) kept.push(new Uint8Array(1 << 20))
    },
    '/memory-microtasks': () => {
      for (;;) Promise.resolve().then(() => 1)
    },
    '/deep': () => {
      const down = (n) => 1 + down(n + 1)
      return String(down(0))
    },
    '/throw': () => {
      throw new Error('the soup is cold')
    },
    '/throw-text': () => {
      throw 'only text'
    },
    '/throw-nothing': () => {
      throw undefined
    },
    '/throw-trap': () => {
      throw {
        get stack() {
          for (;;) {}
        },
        toString() {
          for (;;) {}
        },
      }
    },
    '/reject': async () => {
      await null
      throw new Error('the promise is broken')
    },
    '/unhandled': () => {
      Promise.reject(new Error('no one listens'))
      return '<p>fine</p>'
    },
    '/late-handled': async () => {
      const rejected = Promise.reject(new Error('someone listens'))
      await null
      return rejected.catch(() => '<p>caught</p>')
    },
    '/never': () => new Promise(() => {}),
    '/slow-timer': () => new Promise((resolve) => setTimeout(resolve, 5)),
    '/timer': () => new Promise((resolve) => setTimeout(resolve, 0, '<p>timer</p>')),
    '/promise': async (data) => {
      await null
      return `<p>${data.name}</p>`
    },
    '/large': () => 'x'.repeat(20_000),
    '/large-letters': () => 'қ'.repeat(6_000),
    '/number': () => 7,
    '/leave-timer': () => {
      setTimeout(() => {
        globalThis.__left = 'timer'
      }, 0)
      return '<p>left</p>'
    },
    '/leave-microtask': () => {
      Promise.resolve().then(() => {
        globalThis.__left = 'microtask'
      })
      return '<p>left</p>'
    },
    '/left': () => `<p>${globalThis.__left ?? 'nothing'}</p>`,
    '/log': () => {
      console.error('%s is %d', 'six', 6, { a: 1 }, new Error('logged'))
      return '<p>logged</p>'
    },
    '/says/canary': () => {
      console.warn('%s can not be read', '/says/canary')
      console.error('/says/canary')
      return '<p>said</p>'
    },
    '/insert': (data) => `${globalThis.__fragments.insert(`<b>${data.name}</b>`)}`,
    '/insert-placeholder': () => String(globalThis.__fragments.insert('\u0001=99\u0002')),
    '/clear': () => String(globalThis.__fragments.clear()),
    '/surrogate': () => '<p>\ud83d</p>',
  }
  const spin = (milliseconds) => {
    const end = Date.now() + milliseconds
    while (Date.now() < end) {}
    return '<p>spun</p>'
  }
  const finish = (url, html) => (typeof html === 'string' ? page(url, html) : html)
  globalThis.__render = (url, json, shared) => {
    const data = JSON.parse(json)
    if (url === '/shared') return page(url, `${shared > 0} ${__fragments.shared()}`)
    if (url.startsWith('/fragment/')) {
      return `{}\u0001\n<p>\u0001=${url.slice(10)}\u0002</p>${json}`
    }
    if (url.startsWith('/spin/')) return page(url, spin(Number(url.slice(6))))
    if (url.startsWith('/echo/')) return page(url, `<i>${url}</i>${json}`)
    if (url === '/no-head') return '<p>no head</p>'
    const html = commands[url](data)
    return html instanceof Promise ? html.then((html) => finish(url, html)) : finish(url, html)
  }
  globalThis.__warm = () => {
    for (let i = 0; i < 3; i++) __render('/hello', '{"name":"warm"}')
  }
})()
