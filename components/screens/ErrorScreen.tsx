import type { ErrorPage } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { Empty } from '../parts/Empty.tsx'
import { paths } from '../paths.ts'

type Props = { data: ErrorPage }

/** Something of ours failed: what it is, that the basket is kept, a way on. Full loads, so that nothing stale stays. */
export function ErrorScreen({ data }: Props) {
  const t = useText()
  const { url } = useShell()
  return (
    <Empty
      page
      title={t(`error.${data.kind}`)}
      text={t(data.kind === 'tablet' ? 'error.tabletText' : 'error.kept')}
    >
      {data.kind === 'badRequest' || data.kind === 'forbidden' ? null : (
        <a className="button" href={url}>
          {t('app.retry')}
        </a>
      )}
      <a className="button" data-quiet href={paths.home()}>
        {t('app.toHome')}
      </a>
      {data.requestId ? <p className="soft">{t('error.id', { id: data.requestId })}</p> : null}
    </Empty>
  )
}
