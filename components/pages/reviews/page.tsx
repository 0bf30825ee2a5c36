import type { ReactNode } from 'react'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ReviewsPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { paths } from '../../paths.ts'
import { SpeechBubble } from './SpeechBubble.tsx'
import '../../ui/badge.css'
import '../../ui/chip.css'
import '../../ui/field.css'
import { Own } from './Own.tsx'
import { Report } from './Report.tsx'
import { ReviewBody } from './ReviewBody.tsx'
import { Summary } from './Summary.tsx'
import './reviews.css'

export const title: PageTitle<'reviews'> = ({ venue }, t) => t('head.reviews.title', { venue: venue.name })

export const frame: PageFrame<'reviews'> = { back: ({ venue }) => paths.details(venue.id) }

type Props = { data: ReviewsPage }

/** What guests say of a venue. What the upstream has not published is shown to its own guest alone. */
export function Page({ data }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const { venue, own, removed, failed, total, only } = data
  return (
    <div className="reviews">
      <header>
        <h1>{t('reviews.title')}</h1>
        <p>
          <Link className="link" to={paths.details(venue.id)}>
            {venue.name}
          </Link>
        </p>
      </header>
      <div className="about">
        {data.count > 0 && !failed ? (
          <Section name="summary">
            <Summary data={data} />
          </Section>
        ) : null}
        {removed ? (
          <p className="note" data-info role="status">
            {t('reviews.removed')}
          </p>
        ) : null}
        {own ? (
          <Section name="own">
            <Own data={data} own={own} />
          </Section>
        ) : kiosk || failed || total === 0 ? null : (
          <Write data={data} />
        )}
      </div>
      <div className="said">
        {failed ? (
          <NoAnswer
            title={t('reviews.failed')}
            text={t('reviews.failedText')}
            href={paths.reviews(venue.id, { page: data.page, in: only })}
          />
        ) : total === 0 ? (
          <Empty
            scene={<SpeechBubble />}
            title={t(data.count > 0 ? 'reviews.onlyStars' : 'reviews.empty')}
            text={own || kiosk ? '' : t('reviews.emptyText')}
          >
            {own || kiosk ? null : <Write data={data} />}
          </Empty>
        ) : (
          <>
            <Languages data={data} />
            <Section name="list">
              <List data={data} />
            </Section>
            <Pages data={data} />
          </>
        )}
      </div>
    </div>
  )
}

function Write({ data: { venue } }: Props) {
  const t = useText()
  return (
    <Link className="button" to={paths.reviewForm(venue.id)}>
      {t('reviews.write')}
    </Link>
  )
}

/** Only where there is a choice. */
function Languages({ data: { venue, languages, only } }: Props) {
  const t = useText()
  if (languages.length === 0) return null
  return (
    <nav className="chips" aria-label={t('reviews.languages')}>
      <Chip to={paths.reviews(venue.id)} current={only === null}>
        {t('reviews.all')}
      </Chip>
      {languages.map(({ lang, count }) => (
        <Chip key={lang} to={paths.reviews(venue.id, { in: lang })} current={lang === only}>
          <span lang={lang}>{LANGUAGES[lang]}</span> <span className="num">{count}</span>
        </Chip>
      ))}
    </nav>
  )
}

function Chip({ to, current, children }: { to: string; current: boolean; children: ReactNode }) {
  return (
    <Link className="chip" to={to} aria-current={current || undefined}>
      {children}
    </Link>
  )
}

function List({ data }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const { venue, reviews, own, reported } = data
  return (
    <ol className="list">
      {reviews.map((review) => (
        <li key={review.id} id={`r${review.id}`} className="card">
          <article>
            <ReviewBody
              review={review}
              utcOffset={venue.utcOffset}
              mark={review.id === own?.review.id ? t('reviews.yours') : undefined}
            />
          </article>
          {review.id === own?.review.id || kiosk ? null : review.id === reported ? (
            // It stands in the place of what was pressed. Without scripts the address leads here.
            <p className="note" data-info role="status" tabIndex={-1} ref={focus}>
              {t('reviews.reported')}
            </p>
          ) : (
            <Report data={data} review={review} />
          )}
        </li>
      ))}
    </ol>
  )
}

function focus(element: HTMLElement | null): void {
  element?.focus()
}

function Pages({ data: { venue, only, page, lastPage } }: Props) {
  const t = useText()
  if (lastPage === 1) return null
  const to = (number: number) => paths.reviews(venue.id, { page: number, in: only })
  return (
    <nav className="turn" aria-label={t('reviews.pages')}>
      {page > 1 ? (
        <Link className="button" data-quiet to={to(page - 1)} rel="prev">
          {t('reviews.newer')}
        </Link>
      ) : null}
      <span className="soft">{t('reviews.page', { page, last: lastPage })}</span>
      {page < lastPage ? (
        <Link className="button" data-quiet to={to(page + 1)} rel="next">
          {t('reviews.older')}
        </Link>
      ) : null}
    </nav>
  )
}
