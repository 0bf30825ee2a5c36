import { formatPercent } from '../../lib/format/format.ts'
import { useText } from '../../lib/text/text.tsx'
import '../../ui/badge.css'

/** The most that a dish is cheaper by: a promo that does not say how much it saves gets no badge. */
export function PercentBadge({ percent }: { percent: number | undefined }) {
  const t = useText()
  return percent ? (
    <em className="badge num">
      <span className="vh">{t('venue.promo')} </span>
      {formatPercent(percent)}
    </em>
  ) : null
}
