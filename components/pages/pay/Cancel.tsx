import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'

/** Who has placed the order calls it off, on a second press. */
export function Cancel({ href }: { href: string }) {
  const t = useText()
  const mutation = useMutation({ untilPage: true })
  return (
    <details>
      <summary>{t('pay.cancel')}</summary>
      <form method="post" action={actions.cancelPayment(href)} onSubmit={mutation.submit}>
        <p>{t('pay.cancelText')}</p>
        <Button quiet busy={mutation.status === 'sending'}>
          {t('pay.cancelSure')}
        </Button>
      </form>
    </details>
  )
}
