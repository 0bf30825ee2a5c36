import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'
import { Again } from './Again.tsx'
import { Cancel, InCash, OtherWay } from './Cancel.tsx'
import { usePaymentWatch } from './payment-watch.ts'
import { Step } from './Step.tsx'
import { Waiting } from './Waiting.tsx'
import './pay.css'

export const title: PageTitle<'pay'> = (_, t) => t('head.pay.title')

export const frame: PageFrame<'pay'> = {
  back: ({ bill }) => bill ?? paths.cart(),
  // What was to be paid of a bill is chosen there again.
  root: ({ bill }) => bill,
}

type Props = { data: PaymentPage }

/** How the payment of an order stands, and what can be done about it. */
export function Page({ data }: Props) {
  const t = useText()
  const { home } = useShell()
  const { state, order, bill, sum, money } = data
  const isLate = usePaymentWatch(data)
  const back = data.returned && state === 'waiting'
  const isOther = data.ways.some((way) => way !== data.way)
  const cash = data.cash ? <InCash href={data.href} /> : null
  return (
    <div className="paying" data-state={state}>
      <section className="card">
        <dl>
          {data.number ? (
            <div>
              <dt>{t(bill ? 'pay.bill' : 'pay.order', { number: data.number })}</dt>
              <dd>{data.venue}</dd>
            </div>
          ) : null}
          {/* Of what was called off nothing is to be paid. */}
          {sum === null || state === 'calledOff' ? null : (
            <div>
              <dt>{t(state === 'paid' || state === 'refunded' ? 'pay.paidSum' : 'sum.total')}</dt>
              <dd className="num">
                <b>
                  <Sum of={sum} money={money} />
                </b>
              </dd>
            </div>
          )}
        </dl>
        {/* What changes while the page is open is read out. */}
        <div role="status">
          <h1>{t(back ? 'pay.title.checking' : `pay.title.${state}`)}</h1>
          {isLate ? <p>{t('pay.late')}</p> : null}
        </div>
        {state === 'checking' ? (
          <noscript>
            <p>{t('pay.late')}</p>
          </noscript>
        ) : null}
        {state === 'paid' ? null : <p>{textOf(t, data)}</p>}
        {data.inCart ? <p>{t('pay.kept')}</p> : null}
        {state === 'waiting' || state === 'checking' ? <Waiting data={data} /> : null}
        {data.ways.length === 0 || state === 'checking' ? null : state === 'waiting' && data.bank ? (
          (isOther || data.cash) && (
            <Step data={data} id="way" name={t('pay.otherWay')}>
              {isOther ? <Again data={data} quiet /> : null}
              {cash}
            </Step>
          )
        ) : (
          <>
            <Again data={data} />
            {cash}
          </>
        )}
        {state === 'paid' && !order ? <p>{t('pay.close')}</p> : null}
        {bill && state !== 'waiting' && state !== 'checking' ? (
          <Link className="button" to={bill}>
            {t('pay.toBill')}
          </Link>
        ) : null}
        {!bill && (state === 'calledOff' || state === 'refunded') ? (
          <Link className="button" to={data.inCart ? paths.cart() : home}>
            {t(data.inCart ? 'pay.toCart' : 'app.toHome')}
          </Link>
        ) : null}
      </section>
      {order ? (
        <Link className="link" to={order} replace>
          {t('pay.toOrder')}
        </Link>
      ) : null}
      {bill && data.part ? <OtherWay href={data.href} bill={bill} /> : null}
      {order && data.ways.length > 0 && state !== 'checking' ? <Cancel data={data} /> : null}
    </div>
  )
}

/** What was not paid of a bill is not lost, it is on the bill again. */
function textOf(t: Text, { state, bill }: PaymentPage): string {
  if (bill && state === 'declined') return t('pay.text.billDeclined')
  const isOpen = state === 'abandoned' || state === 'timedOut'
  return bill && isOpen ? t('pay.text.bill') : (t.maybe(`pay.text.${state}`) ?? '')
}
