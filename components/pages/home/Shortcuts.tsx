import type { Shortcut } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'
import './shortcuts.css'

type Props = {
  brands: Shortcut[]
  /** The last of their kind on the page: the way to all brands. */
  last: boolean
}

/** Brands between the rails of Home: each leads to its restaurants. */
export function Shortcuts({ brands, last }: Props) {
  const t = useText()
  return (
    <ul className="shortcuts">
      {brands.map((brand) => (
        <li key={brand.brand}>
          <Link to={paths.brandVenues({ brand: brand.brand })}>
            {brand.image ? <Photo src={brand.image} kind="row" /> : null}
            <span>
              <b>{brand.name}</b>
              <span className="soft">{t('venues.found', { count: brand.venues })}</span>
            </span>
          </Link>
        </li>
      ))}
      {last ? (
        <li>
          <Link to={paths.brands()}>
            <b>{t('home.brands')}</b>
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
