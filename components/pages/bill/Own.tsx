import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { BillPage, OwnPart } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** The guest's own parts: one that is being paid is gone on with or stopped, one that was paid has its receipt. */
export function Own({ bill: { mine, money, href: back } }: { bill: BillPage }) {
  const t = useText()
  if (mine.length === 0) return null
  return (
    <ul className="own">
      {mine.map((part, index) => {
        const { href, sum, tips, paid } = part
        return (
          // The newest comes first; its address is sealed anew with each reading.
          // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, which stays
          <li key={mine.length - index} data-paid={paid || undefined}>
            <Icon name={paid ? 'circle-check' : 'clock'} />
            <span>
              {t(paid ? 'bill.ownPaid' : 'bill.ownPaying', { sum: formatMoney(sum, money) })}
              {tips > 0 ? (
                <span className="soft">{t('bill.withTips', { sum: formatMoney(tips, money) })}</span>
              ) : null}
            </span>
            <Link className="link" to={href}>
              {t(paid ? 'bill.ownDetails' : 'bill.ownGoOn')}
            </Link>
            {paid ? null : <Stop part={part} back={back} />}
          </li>
        )
      })}
    </ul>
  )
}

/** Calls off what waits at the bank: its share is on the bill again, for this guest and the others. */
function Stop({ part, back }: { part: OwnPart; back: string }) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form method="post" action={actions.cancelPayment(part.href)} onSubmit={mutation.submit}>
      <Hidden fields={{ back }} />
      <Button quiet busy={mutation.status === 'sending'}>
        {t('bill.ownStop')}
      </Button>
    </form>
  )
}
