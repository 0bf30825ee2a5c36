/** A guest with a session and a cart, for benches. */

/** The cookies that came so far go with every request. */
export function guest(web) {
  const cookies = new Map()
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  async function ask(address, options = {}) {
    const answer = await fetch(web + address, {
      redirect: 'manual',
      ...options,
      headers: { accept: 'text/html', cookie: cookie(), origin: web, ...options.headers },
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name, ...value] = set.split(';')[0].split('=')
      cookies.set(name, value.join('='))
    }
    return answer
  }
  return { ask, cookie }
}

/** Puts two dishes without choices into the cart, as the forms of the page do. */
export async function fillCart({ ask }, page) {
  const html = await (await ask(page)).text()
  const forms = [...html.matchAll(/<form[^>]*action="(\/cart\/lines)"[^>]*>(.*?)<\/form>/g)].slice(0, 2)
  if (forms.length < 2) throw new Error('the menu has no two dishes without choices')
  for (const [, action, inner] of forms) {
    const fields = [...inner.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const body = new URLSearchParams([...fields.map(([, name, value]) => [name, value]), ['delta', '1']])
    let answer = await ask(action, { method: 'POST', body })
    // Past the page that looks whether the browser keeps cookies.
    for (let leaps = 0; answer.status === 303 && leaps < 3; leaps++)
      answer = await ask(answer.headers.get('location'))
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status}`)
  }
}
