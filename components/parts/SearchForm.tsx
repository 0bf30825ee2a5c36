import { Form } from 'react-router'
import { useText } from '../lib/text.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'

type Props = { query?: string; category?: string | null }

/** Looks for restaurants; the query stands in the address (SE-12). */
export function SearchForm({ query, category }: Props) {
  const t = useText()
  return (
    <Form role="search" className="find" method="get" action={paths.filials()}>
      {category ? <input type="hidden" name="category" value={category} /> : null}
      <input
        type="search"
        name="q"
        key={query}
        defaultValue={query}
        maxLength={80}
        placeholder={t('search.placeholder')}
        aria-label={t('search.label')}
        enterKeyHint="search"
      />
      <button type="submit" aria-label={t('search.label')}>
        <Icon name="search" />
      </button>
    </Form>
  )
}
