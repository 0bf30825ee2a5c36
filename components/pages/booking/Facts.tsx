import { formatDate } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

/** When and where a table is booked, for how many, in whose name and with what request. */
export function Facts({ table: { venue, at, guests, name, comment } }: { table: BookedTable }) {
  const t = useText()
  const shell = useShell()
  const offset = venue?.utcOffset ?? shell.utcOffset
  // 0 is Monday.
  const weekday = (new Date(at + offset * 60_000).getUTCDay() + 6) % 7
  return (
    <div className="facts">
      <p className="num">
        <b>
          {t.maybe(`booking.weekday${weekday}`)}, {formatDate(at, offset, t.lang)}
        </b>
      </p>
      {venue ? (
        <>
          <p>{venue.name}</p>
          <p className="soft">{venue.address}</p>
        </>
      ) : null}
      <p className="soft">{t('booking.for', { count: guests, name })}</p>
      {comment ? <p className="soft">{t('booking.asked', { comment })}</p> : null}
    </div>
  )
}
