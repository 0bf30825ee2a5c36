import { useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'

type Props = {
  data: PaymentPage
  /** Another way is open already. */
  quiet?: boolean
}

/** The same order once more to the bank, by this way or another (PY-06). */
export function Again({ data, quiet = false }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const other = data.ways.find((way) => way !== data.way)
  const [way, setWay] = useState(quiet ? other : (data.way ?? data.ways[0]))
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  return (
    <form method="post" action={data.href} onSubmit={mutation.submit}>
      <fieldset>
        <legend className="vh">{t('pay.how')}</legend>
        {data.ways.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="payment"
            value={one}
            checked={one === way}
            onChange={() => setWay(one)}
          >
            {t(`payment.${one}`)}
          </Choice>
        ))}
      </fieldset>
      {errors.map((error) => (
        <p key={error.code} className="error" role="alert">
          {errorText(t, error)}
        </p>
      ))}
      <Button quiet={quiet} busy={mutation.status === 'sending'}>
        {t('pay.again', { sum: data.sum === null ? '' : formatMoney(data.sum, data.money) })}
      </Button>
    </form>
  )
}
