import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ErrorPage } from '../../lib/page-data.ts'
import { useAskingAgain } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { PulledPlug } from '../../parts/message/PulledPlug.tsx'

export const title: PageTitle<'error'> = (_, t) => t('head.error.title')

type Props = { data: ErrorPage }

/**
 * Something of ours failed: what it is, that a basket is kept, one way on. Full loads, so that nothing stale stays. What may
 * still come is asked for again, too.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { url, cart, home } = useShell()
  const { kind } = data
  useAskingAgain(data.again)
  const isLost = kind === 'badRequest' || kind === 'forbidden' || kind === 'tooLarge' || kind === 'noTablet'
  const text =
    kind === 'tablet' || kind === 'noTablet' || kind === 'tooLarge'
      ? t(`error.${kind}Text`)
      : t(cart?.count ? 'error.kept' : 'error.soon')
  return (
    <Empty page scene={<PulledPlug />} title={t(`error.${kind}`)} text={text}>
      {isLost ? null : (
        <a className="button" href={url}>
          {t('app.retry')}
        </a>
      )}
      <a className={isLost ? 'button' : 'link'} href={home}>
        {t('app.toHome')}
      </a>
      {data.requestId ? <p className="soft">{t('error.id', { id: data.requestId })}</p> : null}
    </Empty>
  )
}
