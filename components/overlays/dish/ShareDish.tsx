import { useState } from 'react'
import { shareLink } from '../../lib/browser/clipboard.ts'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useShell } from '../../lib/page/shell.ts'
import { useText } from '../../lib/text/text.tsx'
import { Icon } from '../../ui/Icon.tsx'
import './share.css'

type Props = { name: string; path: string }

/** Gives an address on: by the phone's own sheet, else by the clipboard. It is seen once it works. */
export function ShareDish({ name, path }: Props) {
  const t = useText()
  const { kiosk, origin } = useShell()
  const hydrated = useHydrated()
  const [said, setSaid] = useState('')

  async function share(): Promise<void> {
    const copied = await shareLink(name, origin + path)
    if (copied !== null) setSaid(t(copied ? 'dish.copied' : 'dish.copyFailed'))
  }

  // Nothing leads out of a tablet (KS-06).
  if (kiosk) return null
  return (
    <p className="share" data-wait={!hydrated || undefined}>
      <button type="button" className="chip" onClick={share}>
        <Icon name="share-2" />
        {t('dish.share')}
      </button>
      <span className="soft" role="status">
        {said}
      </span>
    </p>
  )
}
