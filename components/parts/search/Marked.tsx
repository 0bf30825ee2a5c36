import { marksOf } from '../../lib/find/marks.ts'

type Props = { text: string; query: string }

/** A name with the letters marked that the query matches, in any script or keyboard layout. */
export function Marked({ text, query }: Props) {
  const marks = query ? marksOf(text, query) : []
  if (marks.length === 0) return text
  let end = 0
  const pieces = marks.map(([start, stop]) => {
    const before = text.slice(end, start)
    end = stop
    return { start, before, hit: text.slice(start, stop) }
  })
  return (
    <>
      {pieces.map(({ start, before, hit }) => (
        <span key={start}>
          {before}
          <mark>{hit}</mark>
        </span>
      ))}
      {text.slice(end)}
    </>
  )
}
