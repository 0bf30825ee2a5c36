import type { CheckingPage } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { Empty } from '../parts/Empty.tsx'
import { paths } from '../paths.ts'

type Props = { data: CheckingPage }

/** The restaurant has not said yet whether it took the order; the page asks again by itself. */
export function CheckingScreen({ data }: Props) {
  const t = useText()
  return (
    <Empty page title={t('checking.title')} text={t('checking.text')}>
      <p>{t('checking.kept')}</p>
      <a className="button" href={paths.checking(data.key)}>
        {t('checking.refresh')}
      </a>
    </Empty>
  )
}
