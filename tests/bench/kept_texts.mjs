/** What the engine keeps for a server bundle outside of it (`ssr/src/kept.rs`): the shared part of the data, and HTML. */

/** A menu's data without what pages share, and that, as the server hands them over. */
export function apart(data) {
  const shared = JSON.stringify(JSON.parse(data).page.data.categories)
  const rest = data.replace(shared, () => 'null')
  if (rest.length === data.length) throw new Error('the categories are written otherwise')
  return { rest, shared }
}

export function keptTexts() {
  const kept = []
  /** The HTML with what its marks stand for. */
  function fill(html) {
    const [first, ...parts] = html.split('\u0001')
    return parts.reduce((page, part, at) => {
      const end = part.indexOf('\u0002')
      const text = kept[Number(part.slice(1, end)) - 1]
      if (text === undefined) throw new Error(`nothing is kept for ${part.slice(0, end)}`)
      const rest = part.slice(end + 1)
      // React writes a comment between two texts, which marks are to it.
      return page + text + (rest === '<!-- -->' && at < parts.length - 1 ? '' : rest)
    }, first)
  }
  return {
    /** The data's shared part of the next renders. */
    shared: '',
    /** The bundle's `__texts`. */
    texts() {
      return {
        shared: () => this.shared,
        keep: (html) => kept.push(fill(html)),
        clear() {
          kept.length = 0
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
