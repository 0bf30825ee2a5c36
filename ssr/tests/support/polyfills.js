// Each claim is a function that gives true. The render answers with the names of those that fail.
;(() => {
  const throws = (run) => {
    try {
      run()
      return false
    } catch {
      return true
    }
  }
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
  const links = [
    '/',
    '/filials/1?item=2',
    '/filials/101/order/o_1?key=a-b_c~d#top',
    '/a/../b',
    '/a/./b',
    '/a/%2e%2e/b',
    '/.well-known/x',
    '/a//b',
    '//other.example/x',
    '/қала?q=лағман',
    '/a b?c d#e f',
    '/a?',
    '/a#',
    '/a?b?c/d#e',
    "/a'b?c'd",
    '/a\\b',
    '/a"b<c>',
    '/a|b^c`d{e}',
    '/a;b,c:d@e$f&g=h!i(j)*k+l',
    'b?c=1',
    '?x=1',
    '#y',
    '',
    'https://elsewhere.example:8443/p?q#r',
    '/a\tb\nc',
    '/%zz%41',
  ]
  const parts = (url) => [
    url.pathname,
    url.search,
    url.hash,
    url.protocol,
    url.port,
    url.username,
    url.password,
    url.host,
    url.hostname,
    url.origin,
    url.href,
    String(url),
    JSON.stringify(url),
  ]
  const claims = {
    // With capitals in the base the short way in JS is not taken.
    'the short way gives what Rust gives': () =>
      links.every((link) =>
        same(parts(new URL(link, 'http://localhost')), parts(new URL(link, 'http://LOCALHOST'))),
      ),
    'absolute URLs too': () =>
      links
        .filter((link) => link.startsWith('/') && !link.startsWith('//'))
        .every((link) =>
          same(parts(new URL(`https://a.kz${link}`)), parts(new URL(`https://A.kz${link}`))),
        ),
    'a URL has its parts': () => {
      const url = new URL('https://ann:pw@dastarkhan.example:8443/menu/%D2%9B?a=1&b=2#x')
      return same(
        [url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port],
        ['https://dastarkhan.example:8443', 'https:', 'ann', 'pw', 'dastarkhan.example:8443', 'dastarkhan.example', '8443'],
      ) && url.pathname === '/menu/%D2%9B' && url.search === '?a=1&b=2' && url.hash === '#x'
    },
    'no URL is an error': () => throws(() => new URL('/only')) && throws(() => new URL('http://')),
    'canParse tells': () => URL.canParse('/a', 'http://b.c') && !URL.canParse('/a'),
    'parse gives null': () => URL.parse('/a') === null && URL.parse('a:b').href === 'a:b',
    'parts of a URL can be set': () => {
      const url = new URL('http://localhost/a?b=1')
      url.pathname = '/c d'
      url.search = '?e=ж'
      url.hash = 'f'
      url.port = '81'
      url.protocol = 'https'
      return url.href === 'https://localhost:81/c%20d?e=%D0%B6#f'
    },
    'parameters and URL follow each other': () => {
      const url = new URL('http://localhost/?a=1&b=2')
      const { searchParams } = url
      searchParams.delete('a')
      searchParams.append('c', 'd e&f')
      const first = url.search
      url.search = '?g=5'
      return first === '?b=2&c=d+e%26f' && searchParams.get('g') === '5' && searchParams === url.searchParams
    },
    'parameters are read and written': () => {
      const params = new URLSearchParams('?a=1&b=2&a=3&c')
      return (
        same(params.getAll('a'), ['1', '3']) &&
        params.get('c') === '' &&
        params.get('d') === null &&
        params.has('a', '3') &&
        !params.has('a', '2') &&
        params.size === 4 &&
        same([...params.keys()], ['a', 'b', 'a', 'c'])
      )
    },
    'set keeps one': () => {
      const params = new URLSearchParams('a=1&b=2&a=3')
      params.set('a', '9')
      params.set('z', '0')
      return params.toString() === 'a=9&b=2&z=0'
    },
    'parameters from pairs and objects, sorted': () => {
      const params = new URLSearchParams([['b', '1'], ['a', 'ә']])
      params.sort()
      return (
        params.toString() === 'a=%D3%99&b=1' &&
        new URLSearchParams({ x: 1 }).toString() === 'x=1' &&
        new URLSearchParams(params).get('b') === '1'
      )
    },
    'time stands still': () => performance.now() === 0,
    'what is not there is not there': () =>
      [
        'fetch', 'Request', 'Response', 'AbortController', 'TextEncoder', 'structuredClone', 'process', 'require',
        'window', 'document',
      ].every(
        (name) => typeof globalThis[name] === 'undefined',
      ),
  }
  const later = {
    'microtasks come before timers, timers in order': async () => {
      const order = []
      await new Promise((resolve) => {
        setTimeout(() => order.push('t1'))
        setImmediate((text) => order.push(text), 't2')
        const never = setTimeout(() => order.push('cancelled'))
        clearTimeout(never)
        setTimeout(() => order.push('late'), 1)
        setInterval(() => order.push('interval'), 0)
        queueMicrotask(() => order.push('micro'))
        setTimeout(resolve)
      })
      return same(order, ['micro', 't1', 't2'])
    },
    'a channel passes messages': () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data === 5)
        port2.postMessage(5)
      }),
    'the console takes everything': async () => {
      const circle = {}
      circle.self = circle
      console.error('%s and %o', 'text', circle, Symbol('x'), null, undefined, 1n, new Error('e'))
      console.log()
      console.group('g')
      console.assert(true)
      return true
    },
  }
  globalThis.__render = async () => {
    const failed = []
    for (const [name, claim] of [...Object.entries(claims), ...Object.entries(later)]) {
      try {
        if ((await claim()) !== true) failed.push(name)
      } catch (error) {
        failed.push(`${name}: ${error.stack}`)
      }
    }
    return `{}\n${failed.join('; ')}`
  }
})()
