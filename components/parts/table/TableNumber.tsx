import { TABLE_LANE, useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

const NUMBER_LENGTH = 10

type Props = {
  venueId: number
  /** This page. */
  back: string
  /** The page that goes on with the table, if it is another one. */
  to?: string
  /** It is what the page is for. */
  main?: boolean
}

/** The number of the table, where the venue lets guests type it (FL-07). */
export function TableNumber({ venueId, back, to, main }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ lane: TABLE_LANE, beside: ['table'] })
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  return (
    <form className="card seat" method="post" action={actions.typeTable()} onSubmit={mutation.submit}>
      <Hidden fields={{ filial: venueId, back, ...(to ? { to } : null) }} />
      <Field
        name="table"
        label={t('table.number')}
        hint={t('table.numberHint')}
        error={errorOf(t, errors, 'table')}
        value={flash?.values.table?.[0] ?? ''}
        maxLength={NUMBER_LENGTH}
      />
      <Button quiet={!main} busy={mutation.status === 'sending'}>
        {t('table.set')}
      </Button>
    </form>
  )
}
