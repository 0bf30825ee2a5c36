import { useShell } from '../../lib/page/shell.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'

/** The till has a bill for the guest's table: it is paid there (RT-09). The visit knows which table that is. */
export function BillNote({ venueId }: { venueId: number }) {
  const t = useText()
  const { table } = useShell()
  if (table?.venueId !== venueId) return null
  return (
    <p className="note" data-info>
      {t('table.bill')}{' '}
      <a className="link" href={paths.bill(venueId)}>
        {t('table.toBill')}
      </a>
    </p>
  )
}
