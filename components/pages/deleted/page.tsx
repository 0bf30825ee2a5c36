import { useEffect } from 'react'
import { clearStored } from '../../lib/browser/storage.ts'
import { clearCached } from '../../lib/offline/cached.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { DeletedPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { paths } from '../../paths.ts'
import { EmptyChair } from './EmptyChair.tsx'

export const title: PageTitle<'deleted'> = (_, t) => t('head.deleted.title')

type Props = { data: DeletedPage }

/** The account is deleted. Opening the address alone deletes nothing. */
export function Page({ data: { days } }: Props) {
  const t = useText()
  const { flash } = useShell()
  const wipes = flash?.kind === 'accountDeleted'
  // What scripts have kept is outside of React. The server asks for it, too: some browsers do not heed that.
  useEffect(() => {
    if (!wipes) return
    clearStored()
    void clearCached('all')
  }, [wipes])
  return (
    <Empty page scene={<EmptyChair />} title={t('head.deleted.title')} text={t('deleted.text')}>
      <p>{t('deletion.days', { days })}</p>
      <Link className="button" to={paths.home()}>
        {t('app.toHome')}
      </Link>
    </Empty>
  )
}
