import { formatPhone } from '../../lib/format/phone.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { DeletionPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import '../../ui/destroy.css'
import './deletion.css'

export const title: PageTitle<'deletion'> = (_, t) => t('head.deletion.title')

export const frame: PageFrame<'deletion'> = { heading: title, back: () => paths.profile() }

type Props = { data: DeletionPage }

/** The end of an account in two steps: first what is lost, then the question. */
export function Page({ data }: Props) {
  return <div className="ending">{data.sure ? <Question data={data} /> : <Loss data={data} />}</div>
}

function Loss({ data }: Props) {
  const t = useText()
  return (
    <>
      <section className="card" aria-labelledby="lost">
        <h2 id="lost">{t('deletion.lost')}</h2>
        <ul>
          <li>{t('deletion.bonuses')}</li>
          <li>{t('deletion.orders')}</li>
          <li>{t('deletion.saved')}</li>
          <li>{t('deletion.details')}</li>
        </ul>
      </section>
      <p>{t('deletion.everywhere')}</p>
      <p className="note" data-info>
        {t('deletion.days', { days: data.days })}
      </p>
      <UnderWay data={data} />
      {data.fridge ? (
        <>
          <p className="note" data-bad role="alert">
            {t('deletion.fridge')}
          </p>
          <Link className="button" to={data.fridge}>
            {t('deletion.toFridge')}
          </Link>
        </>
      ) : (
        <Link className="button" data-quiet to={paths.deletion({ step: 'sure' })}>
          {t('deletion.next')}
        </Link>
      )}
      <Link className="link" to={paths.profile()}>
        {t('deletion.keep')}
      </Link>
    </>
  )
}

/** What goes on without its guest. */
function UnderWay({ data: { orders } }: Props) {
  const t = useText()
  return orders.length > 0 ? (
    <div className="note">
      <p>{t('deletion.underWay')}</p>
      <ul>
        {orders.map(({ number, href }) => (
          <li key={href}>
            <Link className="link" to={href}>
              {t('deletion.order', { number })}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ) : null
}

/** The answer is a whole load, so that nothing of the guest stays in the app. */
function Question({ data }: Props) {
  const { phone, days } = data
  const t = useText()
  return (
    <section className="card" aria-labelledby="ask">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to */}
      <h2 id="ask" tabIndex={-1} autoFocus>
        {phone ? t('deletion.askOf', { phone: formatPhone(phone) }) : t('deletion.ask')}
      </h2>
      <p>{t('deletion.days', { days })}</p>
      <UnderWay data={data} />
      <form method="post" action={actions.deleteProfile()} data-bad="">
        <Hidden fields={{ sure: 'yes', back: paths.deletion({ step: 'sure' }) }} />
        <Button quiet>{t('profile.delete')}</Button>
      </form>
      <Link className="button" data-quiet to={paths.profile()}>
        {t('deletion.keep')}
      </Link>
    </section>
  )
}
