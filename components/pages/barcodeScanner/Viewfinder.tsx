import type { Ref } from 'react'
import { useText } from '../../lib/text/text.tsx'
import type { ScannerState } from './scanner.ts'

type Props = {
  video: Ref<HTMLVideoElement>
  still: Ref<HTMLCanvasElement>
  state: ScannerState
  onToggle: (what: 'torch' | 'zoom') => void
  onNext: () => void
}

/** The camera's picture with the place for the code, and what the camera can do. */
export function Viewfinder({ video, still, state, onToggle, onNext }: Props) {
  const t = useText()
  const { phase, torch, zoom, others } = state
  const isLive = phase === 'live'
  return (
    <div className="finder">
      {/* What it shows is what the guest holds before it. */}
      <div aria-hidden="true">
        <video ref={video} playsInline muted autoPlay hidden={!isLive && phase !== 'starting'} />
        <canvas ref={still} hidden={phase !== 'paused' && phase !== 'ended'} />
      </div>
      <i />
      {isLive ? (
        <p>
          {torch === null ? null : (
            <button type="button" className="chip" aria-pressed={torch} onClick={() => onToggle('torch')}>
              {t('scan.torch')}
            </button>
          )}
          {zoom === null ? null : (
            <button type="button" className="chip" aria-pressed={zoom} onClick={() => onToggle('zoom')}>
              {t('scan.zoom')}
            </button>
          )}
          {others ? (
            <button type="button" className="chip" onClick={onNext}>
              {t('scan.other')}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}
