import { Link } from 'react-router'
import type { NotFoundPage } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { Empty } from '../parts/Empty.tsx'
import { SearchForm } from '../parts/SearchForm.tsx'
import { paths } from '../paths.ts'

type Props = { data: NotFoundPage }

/** A real 404 that says what is not there and leads on. */
export function NotFoundScreen({ data }: Props) {
  const t = useText()
  return (
    <Empty page title={t.maybe(`notFound.${data.what}`) ?? t('notFound.page')} text={t('notFound.text')}>
      <div className="tools">
        <SearchForm />
      </div>
      <Link className="button" to={paths.home()}>
        {t('app.toHome')}
      </Link>
    </Empty>
  )
}
