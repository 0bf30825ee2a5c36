import { useShell } from '../../lib/page/shell.ts'
import type { MapCredit as Credit } from '../../lib/page-data.ts'
import './map.css'

/** Whose map it is, over its corner. */
export function MapCredit({ credit }: { credit: Credit | null }) {
  const { kiosk } = useShell()
  if (!credit) return null
  return (
    <small className="credit">
      {credit.href && !kiosk ? (
        <a href={credit.href} target="_blank" rel="noopener noreferrer">
          {credit.text}
        </a>
      ) : (
        credit.text
      )}
    </small>
  )
}
