/** What a scanned code may lead to (FL-19). A code is a stranger's text: everything but our own tables is refused. */

const QUERY = {
  filial_id: /^\d{1,15}$/,
  table_id: /^[\w-]{1,64}$/,
  main_terminal_id: /^\d{1,15}$/,
}

/** The path of ours that a code leads to, with the keys of a table link alone; null for any other text. */
export function pathOfCode(code: string, origin: string): string | null {
  const url = urlOf(code.trim())
  // `origin` of `javascript:` and other schemes is "null".
  if (!url || url.origin !== origin || url.username || url.password) return null
  const path = /^\/filials\/(\d{1,15})\/?$/.exec(url.pathname)
  if (!path) return null
  const query = new URLSearchParams()
  for (const [key, form] of Object.entries(QUERY)) {
    const value = url.searchParams.get(key)
    if (value === null) continue
    if (!form.test(value)) return null
    query.set(key, value)
  }
  const text = query.toString()
  return `/filials/${path[1]}${text ? `?${text}` : ''}`
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
