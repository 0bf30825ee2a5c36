import type { PageTitle } from '../../lib/page/pages.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

export const title: PageTitle<'pay'> = (_, t) => t('head.pay.title')

type Props = { data: PaymentPage }

/** How the payment of an order stands, and what can be done about it. */
export function Page({ data }: Props) {
  const t = useText()
  return (
    <section className="card">
      <h1>{t('pay.title')}</h1>
      <p data-state={data.state}>{data.number}</p>
    </section>
  )
}
