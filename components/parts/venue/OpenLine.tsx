import type { OpenState } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import './open-line.css'

type Props = {
  state: OpenState
  /** Open, but it delivers nothing now. */
  paused?: boolean | undefined
}

/** Open until when, or closed until when: in words, the colour only helps (AX-11). */
export function OpenLine({ state, paused }: Props) {
  const t = useText()
  return (
    <span className="open" data-closed={!state.open || paused || undefined}>
      {openText(t, state, paused)}
    </span>
  )
}

export function openText(t: Text, { open, always, at, inDays }: OpenState, paused?: boolean): string {
  if (open && paused) return t('venue.paused')
  if (open) return always ? t('venue.always') : at ? t('venue.open', { time: at }) : t('venue.openNow')
  if (!at) return t('venue.closed')
  if (inDays === 0) return t('venue.opensToday', { time: at })
  return inDays === 1
    ? t('venue.opensTomorrow', { time: at })
    : t('venue.opensIn', { days: inDays, time: at })
}
