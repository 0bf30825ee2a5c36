import type { PageTitle } from '../../lib/page/pages.ts'
import type { CheckingPage } from '../../lib/page-data.ts'
import { useAsking } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { CoveredDish } from '../../parts/message/CoveredDish.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { paths } from '../../paths.ts'

const INTERVAL = 3000

export const title: PageTitle<'checking'> = (_, t) => t('head.checking.title')

type Props = { data: CheckingPage }

/** The restaurant has not said yet whether it took the order; the page asks again by itself. */
export function Page({ data }: Props) {
  const t = useText()
  useAsking(true, INTERVAL)

  return (
    <Empty page scene={<CoveredDish />} title={t('checking.title')} text={t('checking.text')}>
      <p>{t('checking.kept')}</p>
      <a className="button" href={paths.checking(data.key)}>
        {t('checking.refresh')}
      </a>
    </Empty>
  )
}
