import { useState } from 'react'
import { formatTime } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { PaymentPage } from '../../lib/page-data.ts'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths, withQuery } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TimeLeft } from './TimeLeft.tsx'

/** Pixels of the picture, at least. */
const CODE = 240

type Props = { data: PaymentPage }

/** The ways to the bank: on the phone itself first, as guests can't scan their own screen (PY-13). From a tablet none leads
 *  there: its guest scans the code (KS-06). */
export function Waiting({ data }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const { bank, way, until } = data
  return (
    <>
      {bank ? (
        <>
          {kiosk ? null : (
            <a className="button" href={bank} rel="noopener" data-bank="">
              {t(way === 'qr' ? 'pay.openApp' : 'pay.toBank')}
            </a>
          )}
          {way === 'qr' ? (
            <figure>
              {/* The address of the payment changes with each attempt, that of its code does not. */}
              <img
                key={bank}
                src={paths.paymentCode(data.href)}
                width={CODE}
                height={CODE}
                alt={t('pay.code')}
              />
              <figcaption className="soft">{t('pay.scan')}</figcaption>
              {kiosk ? null : (
                <CopyButton
                  text={bank}
                  label={t('pay.copy')}
                  done={t('pay.copied')}
                  failed={t('pay.notCopied')}
                />
              )}
            </figure>
          ) : null}
          {until === null ? null : (
            <TimeLeft key={until} until={until} readAt={data.readAt} utcOffset={data.utcOffset} />
          )}
        </>
      ) : null}
      <Check data={data} />
    </>
  )
}

/** Looks at once; a plain link for those without scripts. */
function Check({ data }: Props) {
  const t = useText()
  const { url } = useShell()
  const revalidate = useRevalidate()
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(false)

  async function check(): Promise<void> {
    setAsking(true)
    await revalidate()
    setAsking(false)
    setAsked(true)
  }

  return (
    <>
      <a
        className="button"
        data-quiet=""
        href={withQuery(url, { step: null })}
        aria-busy={asking || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (!asking) void check()
        }}
      >
        {t('pay.check')}
      </a>
      <p className="soft" role="status">
        {asking
          ? t('pay.asking')
          : asked
            ? t('pay.notYet', { time: formatTime(data.readAt, data.utcOffset) })
            : null}
      </p>
    </>
  )
}
