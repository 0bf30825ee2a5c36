import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'

/** A number stays on one line. */
const NBSP = '\u00a0'

/** Whom to ask about an order: the venue by its phone, where that is known. */
export function VenueContact({ order: { contact, venue } }: { order: OrderPage }) {
  const t = useText()
  const { kiosk } = useShell()
  return (
    <p className="soft">
      {contact ? (
        // A tablet does not call: there the number is read, and no link.
        <a className="link num" href={kiosk ? undefined : contact.href}>
          {t('order.call', { number: formatPhone(contact.text).replaceAll(' ', NBSP) })}
        </a>
      ) : (
        <Link className="link" to={paths.details(venue.id)}>
          {t('order.venueContacts')}
        </Link>
      )}
    </p>
  )
}
