import { useEffect, useId, useState } from 'react'
import { Sheet } from '../../ui/Sheet.tsx'
import './loader.css'

/** Quicker answers show nothing. */
const LATE = 300
/** From here on the guest may go on without it. */
const LONG = 8000

type Props = {
  /** What is waited for. */
  text: string
  /** What becomes of it when it takes long. */
  longText: string
  cancel: string
  onCancel: () => void
}

/** Covers the page while it waits for an answer that decides what comes next (UI-05). Nothing else closes it. */
export function Loader({ text, longText, cancel, onCancel }: Props) {
  const id = useId()
  const [since, setSince] = useState<'now' | 'late' | 'long'>('now')

  // Timers are outside of React.
  useEffect(() => {
    const late = setTimeout(setSince, LATE, 'late')
    const long = setTimeout(setSince, LONG, 'long')
    return () => {
      clearTimeout(late)
      clearTimeout(long)
    }
  }, [])

  if (since === 'now') return null
  return (
    <Sheet labelledBy={id} closeable={false} onClose={onCancel}>
      <div className="loader" aria-busy="true">
        <i />
        <p id={id} role="status" tabIndex={-1} data-focus="">
          <b>{text}</b>
        </p>
        {since === 'long' ? (
          <>
            <p className="soft" role="status">
              {longText}
            </p>
            <button type="button" className="button" data-quiet="" onClick={onCancel}>
              {cancel}
            </button>
          </>
        ) : null}
      </div>
    </Sheet>
  )
}
