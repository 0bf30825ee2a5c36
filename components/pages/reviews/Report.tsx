import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ReviewCard, ReviewsPage } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = { data: ReviewsPage; review: ReviewCard }

const REASONS = ['spam', 'insult', 'personal', 'off_topic'] as const

/** Tells the moderator what is wrong with a review: a reason, and a press that sends it, with and without scripts. */
export function Report({ data: { venue, page, only }, review }: Props) {
  const t = useText()
  const { url } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const failed = errorOf(t, mutation.errors, 'form')
  return (
    <details className="report">
      <summary>
        {t('reviews.report')}
        <span className="vh">: {review.author || t('reviews.guest')}</span>
      </summary>
      <form method="post" action={actions.reportReview(venue.id, review.id)} onSubmit={mutation.submit}>
        <Hidden fields={{ back: url, page, ...(only ? { in: only } : {}) }} />
        <p id={`w${review.id}`}>{t('reviews.wrong')}</p>
        {failed ? (
          <p className="error" role="alert">
            {failed}
          </p>
        ) : null}
        <fieldset aria-labelledby={`w${review.id}`}>
          {REASONS.map((reason) => (
            <label key={reason} className="choice">
              <input type="radio" name="reason" value={reason} required />
              <span>{t(`reviews.wrong.${reason}`)}</span>
            </label>
          ))}
        </fieldset>
        <Button quiet busy={mutation.status === 'sending'}>
          {t('reviews.send')}
        </Button>
      </form>
    </details>
  )
}
