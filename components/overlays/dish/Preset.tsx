import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useText } from '../../lib/text/text.tsx'
import './share.css'

type Props = {
  /** The guest has chosen so themselves. */
  last: boolean
  several: boolean
  onClear: () => void
}

/** Says why options are ticked that the guest has not ticked now (AT-02). */
export function Preset({ last, several, onClear }: Props) {
  const t = useText()
  const isDead = !useHydrated()
  return (
    <p className="share">
      <span className="soft">{t(last ? 'dish.last' : 'dish.preset')}</span>
      {several ? (
        <button type="button" className="chip" hidden={isDead} onClick={onClear}>
          {t('dish.clear')}
        </button>
      ) : null}
    </p>
  )
}
