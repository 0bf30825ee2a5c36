import type { ReviewsPage } from '../../lib/page-data.ts'
import { formatNumber } from '../../lib/text/message.ts'
import { useText } from '../../lib/text/text.tsx'
import '../../ui/gauge.css'

type Props = { data: ReviewsPage }

/** The mean of all stars, and how many gave how many. Those with words are fewer. */
export function Summary({ data: { rating, count, stars, total, only } }: Props) {
  const t = useText()
  return (
    <section className="card summary" aria-label={t('reviews.summary')}>
      <p>
        {rating ? (
          <b className="mean">
            <span className="vh">{`${t('venue.rating')} `}</span>
            {formatNumber(rating, t.lang)}
            <span className="star" aria-hidden="true" />
          </b>
        ) : null}
        <span>{t('reviews.count', { count })}</span>
        {only === null && total > 0 ? (
          <span className="soft">{t('reviews.listed', { count: total })}</span>
        ) : null}
      </p>
      {stars ? (
        <ul>
          {stars
            .map((given, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the number of stars
              <li key={at}>
                <span aria-hidden="true">{at + 1} ★</span>
                <progress className="gauge" max={count} value={given} aria-hidden="true" />
                <span className="vh">{`${t('grade.stars', { count: at + 1 })}: `}</span>
                <span className="num">{formatNumber(given, t.lang)}</span>
              </li>
            ))
            .reverse()}
        </ul>
      ) : null}
    </section>
  )
}
