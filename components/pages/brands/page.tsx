import { useState } from 'react'
import { named } from '../../lib/find/names.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BrandsPage, BrandTile } from '../../lib/page-data.ts'
import { Form } from '../../lib/router/Form.tsx'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { EmptyPlace } from '../../parts/message/EmptyPlace.tsx'
import { Lead } from '../../parts/message/Lead.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { Cover } from '../../parts/venue/Cover.tsx'
import { ListSkeleton, useRefining } from '../../parts/venue/ListSkeleton.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import '../../parts/search/search-form.css'
import '../../ui/field.css'
import '../../frame/nav.css'
import './brands.css'

export const title: PageTitle<'brands'> = ({ front }, t) => front?.title ?? t('head.brands.title')

export const frame: PageFrame<'brands'> = { heading: title, back: null, bar: true }

type Props = { data: BrandsPage }

/** The brands of the town, two in a row on a phone. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const refining = useRefining(paths.brands())
  const [typed, setTyped] = useState({ of: data.query, text: data.query })
  // An address with another search, such as by Back, shows its own text.
  const text = typed.of === data.query ? typed.text : data.query
  const brands = named(data.brands, ({ name }) => name, text)
  if (data.failed) {
    return (
      <NoAnswer
        title={t('venues.failed')}
        text={t('venues.failedText')}
        href={paths.brands({ q: data.query })}
      />
    )
  }
  if (data.brands.length === 0) {
    return (
      <Empty scene={<EmptyPlace />} title={t('brands.emptyTown')} text={t('brands.emptyTownText')}>
        <Link className="button" to={paths.town({ back: paths.brands() })}>
          {t('brands.changeTown')}
        </Link>
      </Empty>
    )
  }
  return (
    <>
      <Lead front={data.front} />
      <div className="brand-seek">
        {/* With scripts the tiles follow the typing; without them it is sent. */}
        <Form role="search" className="find" action={paths.brands()}>
          <input
            type="search"
            name="q"
            value={text}
            onChange={(event) => setTyped({ of: data.query, text: event.target.value })}
            maxLength={80}
            autoComplete="off"
            placeholder={t('brands.search')}
            aria-label={t('brands.search')}
            enterKeyHint="search"
          />
          <button type="submit" aria-label={t('search.label')}>
            <Icon name="search" />
          </button>
        </Form>
        <Link to={paths.map({})} aria-label={t('search.onMap')}>
          <Icon name="map-pin" />
        </Link>
      </div>
      <ServiceSwitch services={shell.services} />
      <div className="said" role="status">
        {brands.length > 0 ? (
          <p className="soft">
            {data.more ? (
              <>
                {t('brands.more', { count: data.brands.length })}{' '}
                <Link className="link" to={paths.search({ q: text.trim() })}>
                  {t('brands.searchAll')}
                </Link>
              </>
            ) : (
              t('brands.found', { count: brands.length })
            )}
          </p>
        ) : refining ? null : (
          <Empty
            scene={<EmptyPlace />}
            title={
              data.more
                ? t('brands.notShown', { query: text.trim(), count: data.brands.length })
                : t('venues.nothingFor', { query: text.trim() })
            }
          >
            {data.more ? (
              <Link className="button" to={paths.search({ q: text.trim() })}>
                {t('brands.searchAll')}
              </Link>
            ) : null}
            <Link
              className="button"
              data-quiet={data.more && ''}
              to={paths.brands()}
              onClick={() => setTyped({ of: '', text: '' })}
            >
              {t('venues.showAll')}
            </Link>
          </Empty>
        )}
      </div>
      {refining ? (
        <ListSkeleton className="brand-tiles" count={8} />
      ) : brands.length === 0 ? null : (
        <ul className="brand-tiles">
          {brands.map((brand, index) => (
            <Tile key={brand.id} brand={brand} eager={index < 6} />
          ))}
        </ul>
      )}
    </>
  )
}

function Tile({ brand, eager }: { brand: BrandTile; eager: boolean }) {
  const t = useText()
  return (
    <li className="tile brand">
      <Cover image={brand.image} name={brand.name} percent={undefined} eager={eager} />
      <h2>
        <Link to={paths.brandVenues({ brand: brand.id })}>{brand.name}</Link>
      </h2>
      <p className="soft">{t('venues.found', { count: brand.venues })}</p>
    </li>
  )
}
