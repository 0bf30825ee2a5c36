import { useShell } from '../../lib/page/shell.ts'
import type { Service } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Icon } from '../../ui/Icon.tsx'

const ICONS = { delivery: 'bike', express: 'utensils', takeaway: 'shopping-bag' } satisfies Record<
  Service,
  string
>

/** The services of a venue: signs with their names. */
export function ServiceTags({ services }: { services: Service[] }) {
  const t = useText()
  const { services: offered } = useShell()
  return (
    <ul className="tags soft" aria-label={t('service.label')}>
      {services
        .filter((one) => offered.includes(one))
        .map((service) => (
          <li key={service}>
            <Icon name={ICONS[service]} />
            {t(`service.${service}`)}
          </li>
        ))}
    </ul>
  )
}
