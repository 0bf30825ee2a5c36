import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useShell } from '../../lib/page/shell.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import './thank-you.css'

type Props = { venue: number; order: string }

/** The address of this page, to be found again: by the phone's own sheet or the clipboard. */
export function SaveLink({ venue, order }: Props) {
  const t = useText()
  const { kiosk, origin } = useShell()
  const hydrated = useHydrated()
  const url = origin + paths.thankYou(venue, order)
  // Nothing leads out of a tablet (KS-06).
  if (kiosk) return null
  return (
    <section className="card keep" aria-labelledby="keep">
      <h2 id="keep">{t('thanks.keepTitle')}</h2>
      <p className="soft">{t('thanks.keepText')}</p>
      <p>
        <CopyButton
          text={url}
          label={t('thanks.copy')}
          done={t('thanks.copied')}
          failed={t('thanks.copyFailed')}
        />
        {hydrated && 'share' in navigator ? (
          // A guest who changes their mind has nothing to be told.
          <button type="button" className="chip" onClick={() => navigator.share({ url }).catch(() => {})}>
            <Icon name="share-2" />
            {t('thanks.share')}
          </button>
        ) : null}
      </p>
    </section>
  )
}
