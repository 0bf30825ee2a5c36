import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { ServiceHits } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = {
  others: ServiceHits[]
  /** What is shown with the service. */
  back: string
  /** How much it has, in words. */
  labelOf: (total: number) => string
}

/** The services that have something where the chosen one has nothing: a tap chooses one, also without scripts. */
export function OtherServices({ others, back, labelOf }: Props) {
  const t = useText()
  const mutation = useCartMutation()
  return others.map(({ service, total }, index) => (
    <form key={service} method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ service, back }} />
      <Button quiet={index > 0} busy={mutation.status === 'sending'}>
        {t(`service.${service}`)}: {labelOf(total)}
      </Button>
    </form>
  ))
}
