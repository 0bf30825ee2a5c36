import { type MouseEvent, useId } from 'react'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { forget, forgetAll } from './search-history.ts'

type Props = {
  history: readonly string[]
  /** What can be written, for a guest without searches. */
  prompt: string
  /** Something is being typed: it keeps its place, but says nothing. */
  silent: boolean
  addressOf: (text: string) => string
  onTap: (event: MouseEvent, text: string) => void
  /** What is left of it. */
  onChange: (history: string[]) => void
}

/** The last searches, or the prompt, which has the same height, so nothing moves when they come. */
export function SearchHistory({ history, prompt, silent, addressOf, onTap, onChange }: Props) {
  const t = useText()
  const id = useId()
  if (history.length === 0) {
    return (
      <p className="past soft" data-silent={silent || undefined}>
        {prompt}
      </p>
    )
  }
  return (
    <section className="past" data-silent={silent || undefined} aria-labelledby={id}>
      <div>
        <h2 id={id}>{t('search.recent')}</h2>
        <button type="button" className="link" onClick={() => onChange(forgetAll())}>
          {t('search.clearHistory')}
        </button>
      </div>
      <ul>
        {history.map((text) => (
          <li key={text}>
            <Link to={addressOf(text)} onClick={(event) => onTap(event, text)}>
              {text}
            </Link>
            <button
              type="button"
              aria-label={t('search.forget', { query: text })}
              onClick={() => onChange(forget(text))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
