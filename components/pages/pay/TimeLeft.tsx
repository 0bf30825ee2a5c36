import { useEffect, useState } from 'react'
import { formatTime } from '../../lib/format/format.ts'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'

const SECOND = 1000
/** From here on it is told aloud. */
const SHORT = 60 * SECOND

type Props = { until: number; readAt: number; utcOffset: number }

/** How long the bank waits. It counts by the server's clock; the phone's own may be wrong. */
export function TimeLeft({ until, readAt, utcOffset }: Props) {
  const t = useText()
  const revalidate = useRevalidate()
  const [left, setLeft] = useState<number | null>(null)

  // Time is outside of React.
  useEffect(() => {
    const end = performance.now() + until - readAt
    const tick = () => {
      const now = Math.max(0, end - performance.now())
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      // What was over when it was read is read again by the page's own questions, not as fast as answers come.
      if (until > readAt) void revalidate()
    }
    const timer = setInterval(tick, SECOND)
    tick()
    return () => clearInterval(timer)
  }, [until, readAt, revalidate])

  const isShort = left !== null && left < SHORT
  return (
    <div className="left" data-short={isShort || undefined}>
      <p role="timer" className="num">
        {t('pay.until', { time: formatTime(until, utcOffset) })}
        {left === null ? null : ` · ${t('pay.left', clock(left))}`}
      </p>
      <p role="status">{isShort ? t('pay.soonOver') : null}</p>
    </div>
  )
}

/** What is left by minutes and seconds: "4:07" beside a time of day would be another one. */
function clock(left: number): { minutes: number; seconds: number } {
  const seconds = Math.floor(left / SECOND)
  return { minutes: Math.floor(seconds / 60), seconds: seconds % 60 }
}
