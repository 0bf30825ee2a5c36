import { useEffect, useRef, useState } from 'react'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ReviewFormPage } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Stars } from './Stars.tsx'
import './review-form.css'

export const title: PageTitle<'reviewForm'> = (_, t) => t('reviewForm.title')

export const frame: PageFrame<'reviewForm'> = {
  heading: title,
  back: ({ venue }) => paths.reviews(venue.id),
  beside: () => ['rating', 'text'],
}

type Props = { data: ReviewFormPage }

const LONGEST = 2000
/** From here on it is said how much is left. */
const NEAR = 200

/** Stars and words. What was typed stays if it fails. */
export function Page({ data: { venue, own } }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const form = useRef<HTMLFormElement>(null)
  const errors = mutation.status === 'idle' ? (flash?.errors ?? []) : mutation.errors
  const typed = (field: string) => flash?.values[field]?.[0]
  const before = typed('text') ?? own?.review.text ?? ''
  const [left, setLeft] = useState(LONGEST - before.length)
  const rating = typed('rating') ?? String(own?.review.rating ?? '')
  const ungraded = errors.some(({ field }) => field === 'rating')
  // Without scripts it is told on top of the page.
  const failed = errorOf(t, mutation.errors, 'form')
  const signIn = errors.some(({ code }) => code === 'signIn')

  // What is wrong is found by those who do not see it, too.
  useEffect(() => {
    if (mutation.errors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mutation.errors])

  return (
    <div className="review-form">
      <p className="soft">{venue.name}</p>
      {own ? <p className="note">{t('reviewForm.instead')}</p> : null}
      <form
        method="post"
        action={actions.writeReview(venue.id)}
        onSubmit={mutation.submit}
        ref={form}
        data-keep={`review ${venue.id}`}
        data-sent={mutation.status === 'sending' || undefined}
      >
        <Hidden fields={{ back: paths.reviewForm(venue.id) }} />
        <Stars chosen={rating} wrong={ungraded} />
        <Field
          name="text"
          label={t('reviewForm.text')}
          hint={t('reviewForm.hint')}
          long
          maxLength={LONGEST}
          value={before}
          error={errorOf(t, errors, 'text')}
          autoFocus={!ungraded && errorOf(t, errors, 'text') !== undefined}
          onInput={(text) => setLeft(LONGEST - text.length)}
        />
        {/* Told when it begins to matter, not at each letter. */}
        <p className="soft left" role="status">
          {left <= NEAR ? t('reviewForm.left', { count: left - (left % (left > 20 ? 20 : 1)) }) : ''}
        </p>
        <p className="soft">{t('reviewForm.rules')}</p>
        {failed ? (
          <p className="note" data-bad role="alert">
            {failed}{' '}
            {signIn ? (
              <a className="link" href={paths.reviewForm(venue.id)}>
                {t('reviewForm.signIn')}
              </a>
            ) : null}
          </p>
        ) : null}
        <Button busy={mutation.status === 'sending'}>{t('reviewForm.send')}</Button>
      </form>
    </div>
  )
}
