import { useMutation } from '../lib/cart.tsx'
import type { Service } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions } from '../paths.ts'
import { Hidden } from '../ui/Hidden.tsx'

type Props = {
  services: Service[]
  /** Where each choice leads; the page itself when it is the same for all. */
  back?: (service: Service) => string
}

/** Express, takeaway, delivery: shown when there is a choice (SV-04). */
export function ServiceSwitch({ services, back }: Props) {
  const t = useText()
  const shell = useShell()
  const mutation = useMutation()
  if (services.length < 2) return null
  return (
    <ul className="switch" aria-label={t('service.label')}>
      {services.map((service) => (
        <li key={service}>
          <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
            <Hidden fields={{ back: back?.(service) ?? shell.url }} />
            <button type="submit" name="service" value={service} aria-pressed={service === shell.service}>
              {t(`service.${service}`)}
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}
