import { useEffect, useState } from 'react'
import type { PushState } from '../../lib/push/push.ts'
import { useText } from '../../lib/text/text.tsx'

/** Offers notifications about orders where the browser can show them; asks after a tap alone (PU-07). */
export function Notify() {
  const t = useText()
  const [state, setState] = useState<PushState>('none')
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    import('../../lib/push/push.ts').then(async ({ pushState }) => setState(await pushState())).catch(ignore)
  }, [])
  if (state === 'none') return null
  async function turnOn() {
    setFailed(false)
    try {
      const script = await import('../../lib/push/push.ts')
      setState(await script.turnOn())
    } catch {
      setFailed(true)
    }
  }
  return (
    <section className="card keep" aria-labelledby="notify">
      <h2 id="notify">{t('thanks.notifyTitle')}</h2>
      {state === 'askable' ? (
        <>
          <p className="soft">{t('thanks.notifyText')}</p>
          <p>
            <button type="button" className="chip" onClick={turnOn}>
              {t('thanks.notify')}
            </button>
          </p>
        </>
      ) : null}
      <div role="status">
        {state === 'on' ? <p>{t('thanks.notifyOn')}</p> : null}
        {state === 'denied' ? <p>{t('thanks.notifyDenied')}</p> : null}
        {failed ? <p>{t('thanks.notifyFailed')}</p> : null}
      </div>
    </section>
  )
}

function ignore(): void {}
