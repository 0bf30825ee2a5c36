import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OwnReview, ReviewsPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { ReviewBody } from './ReviewBody.tsx'

type Props = { data: ReviewsPage; own: OwnReview }

/** What the guest has written, and what has become of it. */
export function Own({ data: { venue }, own: { review, state } }: Props) {
  const t = useText()
  const { url } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const failed = errorOf(t, mutation.errors, 'form')
  return (
    <section className="card own" aria-labelledby="own">
      <h2 id="own">{t('reviews.own')}</h2>
      <p className="note" data-info={state === 'refused' ? undefined : true} role="status">
        {t(`reviews.${state}`)}
      </p>
      <ReviewBody review={review} utcOffset={venue.utcOffset} />
      <div className="acts">
        <Link className="button" data-quiet to={paths.reviewForm(venue.id)}>
          {t('reviews.change')}
        </Link>
        <details>
          <summary>{t('reviews.remove')}</summary>
          <form method="post" action={actions.removeReview(venue.id)} onSubmit={mutation.submit}>
            <Hidden fields={{ back: url }} />
            {failed ? (
              <p className="error" role="alert">
                {failed}
              </p>
            ) : null}
            <Button quiet busy={mutation.status === 'sending'}>
              {t('reviews.removeSure')}
            </Button>
          </form>
        </details>
      </div>
    </section>
  )
}
