/** The engine's fragment cache (`ssr/src/fragment_cache.rs`) for a server bundle outside of it. */

/** A menu's data without what pages share, and that, as the server hands them over. */
export function apart(data) {
  const shared = JSON.stringify(JSON.parse(data).page.data.categories)
  const rest = data.replace(shared, () => 'null')
  if (rest.length === data.length) throw new Error('the categories are written otherwise')
  return { rest, shared }
}

export function fragmentCache() {
  const fragments = []
  /** The HTML with what its placeholders stand for. */
  function fill(html) {
    const [first, ...parts] = html.split('\u0001')
    return parts.reduce((page, part, at) => {
      const end = part.indexOf('\u0002')
      const text = fragments[Number(part.slice(1, end)) - 1]
      if (text === undefined) throw new Error(`no fragment is cached for ${part.slice(0, end)}`)
      const rest = part.slice(end + 1)
      // React writes a comment between two texts, which placeholders are to it.
      return page + text + (rest === '<!-- -->' && at < parts.length - 1 ? '' : rest)
    }, first)
  }
  return {
    /** The data's shared part of the next renders. */
    shared: '',
    /** The bundle's `__fragments`. */
    engine() {
      return {
        shared: () => this.shared,
        insert: (html) => fragments.push(fill(html)),
        clear() {
          fragments.length = 0
        },
      }
    },
    /** An answer of `__render` as the engine gives it on. */
    filled(answer) {
      const end = answer.indexOf('\n')
      return answer[end - 1] === '\u0001' ? answer.slice(0, end - 1) + fill(answer.slice(end)) : answer
    },
  }
}
