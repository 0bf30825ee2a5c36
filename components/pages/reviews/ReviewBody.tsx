import { formatRecentDay } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ReviewCard } from '../../lib/page-data.ts'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { useText } from '../../lib/text/text.tsx'

type Props = {
  review: ReviewCard
  utcOffset: number
  /** A word about it. */
  mark?: string | undefined
}

/** Stars, whose they are, and the words in their own language. */
export function ReviewBody({ review: { rating, author, at, lang, text }, utcOffset, mark }: Props) {
  const t = useText()
  const { now } = useShell()
  const foreign = lang === null || lang === t.lang ? undefined : lang
  return (
    <>
      <p className="who">
        <b>
          <bdi>{author || t('reviews.guest')}</bdi>
        </b>
        {mark ? <span className="badge">{mark}</span> : null}
      </p>
      <p className="soft said-at">
        <Stars rating={rating} />
        {at === null ? null : (
          <time dateTime={new Date(at).toISOString().slice(0, 10)}>
            {formatRecentDay(at, now, utcOffset, t.lang)}
          </time>
        )}
        {foreign && text ? <span lang={foreign}>{LANGUAGES[foreign]}</span> : null}
      </p>
      {text ? (
        <p className="words" lang={foreign} dir="auto">
          {text}
        </p>
      ) : null}
    </>
  )
}

function Stars({ rating }: { rating: number }) {
  const t = useText()
  return (
    <span className="given">
      <span aria-hidden="true">
        {'★'.repeat(rating)}
        {'☆'.repeat(5 - rating)}
      </span>
      <span className="vh">{t('grade.stars', { count: rating })}</span>
    </span>
  )
}
