import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Step } from './Step.tsx'

/** The guest who has placed the order calls it off, on a second press. */
export function Cancel({ data }: { data: PaymentPage }) {
  const t = useText()
  const mutation = useMutation({ untilPage: true })
  return (
    <Step data={data} id="cancel" name={t('pay.cancel')}>
      <form method="post" action={actions.cancelPayment(data.href)} onSubmit={mutation.submit}>
        <p>{t('pay.cancelText')}</p>
        <Button quiet busy={mutation.status === 'sending'}>
          {t('pay.cancelSure')}
        </Button>
      </form>
    </Step>
  )
}

/** The upstream can't change how an order is paid: it is called off unpaid, and its dishes are ordered again from the cart. */
export function InCash({ href }: { href: string }) {
  const t = useText()
  const mutation = useMutation({ untilPage: true })
  return (
    <form method="post" action={actions.cancelPayment(href)} onSubmit={mutation.submit}>
      <Hidden fields={{ in_cash: 1 }} />
      <Button quiet busy={mutation.status === 'sending'} describedBy="in-cash">
        {t('pay.cash')}
      </Button>
      <p id="in-cash" className="soft">
        {t('pay.cashText')}
      </p>
    </form>
  )
}

type Props = { href: string; bill: string }

/** A part of a bill is paid another way, on the bill: nothing is lost by it, so no second press is asked for. */
export function OtherWay({ href, bill }: Props) {
  const t = useText()
  const mutation = useMutation({ untilPage: true })
  return (
    <form method="post" action={actions.cancelPayment(href)} onSubmit={mutation.submit}>
      <Hidden fields={{ back: bill }} />
      <Button quiet busy={mutation.status === 'sending'} describedBy="other-way">
        {t('pay.otherWay')}
      </Button>
      {/* Behind the button: it says what the press does, and not what happens now. */}
      <p id="other-way" className="soft">
        {t('pay.otherWayText')}
      </p>
    </form>
  )
}
