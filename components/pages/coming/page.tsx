import { Link } from 'react-router'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ComingPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { paths } from '../../paths.ts'

export const title: PageTitle<'coming'> = (_, t) => t('head.coming.title')

type Props = { data: ComingPage }

/** A page of the plan that is not there yet. */
export function Page({ data }: Props) {
  const t = useText()
  const { home } = useShell()
  const text = data.login ? t('coming.login') : t('coming.text')
  return (
    <Empty page title={t('coming.title')} text={text}>
      <Link className="button" to={data.filialId === null ? home : paths.menu(data.filialId)}>
        {t(data.filialId === null ? 'app.toHome' : 'cart.toMenu')}
      </Link>
    </Empty>
  )
}
