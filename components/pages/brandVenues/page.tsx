import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BrandVenuesPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { EmptyPlace } from '../../parts/message/EmptyPlace.tsx'
import { Lead } from '../../parts/message/Lead.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { BrandGroups } from '../../parts/venue/BrandGroups.tsx'
import { MoreVenues } from '../../parts/venue/MoreVenues.tsx'
import { useMoreVenues } from '../../parts/venue/more-venues.ts'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { ofTown, ownName } from '../../parts/venue/venue-groups.ts'
import { paths } from '../../paths.ts'
import '../../frame/nav.css'
import './brandVenues.css'

export const title: PageTitle<'brandVenues'> = ({ front, name }, t) =>
  front?.title ?? (name || t('head.venues.title'))

export const frame: PageFrame<'brandVenues'> = {
  heading: title,
  back: ({ others }) => (others ? paths.brands() : null),
  bar: true,
}

type Props = { data: BrandVenuesPage }

/** The restaurants of one brand. The nearest is one tap away, but it is never opened by itself. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const { brand, page, venues } = data
  const address = (number: number) => paths.brandVenues({ brand, page: number })
  const more = useMoreVenues(data, address)
  if (data.failed) {
    return <NoAnswer title={t('venues.failed')} text={t('venues.failedText')} href={address(page)} />
  }
  if (venues.length === 0) {
    return (
      <Empty scene={<EmptyPlace />} title={t('brandVenues.empty')} text={t('brandVenues.emptyText')}>
        <Link className="button" to={paths.town({ back: paths.brandVenues({ brand }) })}>
          {t('brandVenues.changeTown')}
        </Link>
      </Empty>
    )
  }
  const offered = page === 1 ? venues.find((venue) => venue.services.includes(shell.service)) : undefined
  const nearest = offered ?? (page === 1 ? venues[0] : undefined)
  return (
    <>
      <Lead front={data.front} />
      <div className="tools">
        <SearchField action={paths.search()} brand={brand} onMap={data.name} />
        <ServiceSwitch services={shell.services} />
      </div>
      <div className="found">
        <p className="soft" role="status">
          {ofTown(shell.town, t('venues.found', { count: data.total }))}
        </p>
      </div>
      <BrandGroups pages={more.pages} nearest={nearest?.id} />
      <MoreVenues more={more} first={page} address={address} />
      {nearest ? (
        <Link className="button go" to={paths.menu(nearest.id)}>
          <span>{t('brandVenues.open', { venue: ownName(nearest, data.name) || nearest.name })}</span>
        </Link>
      ) : null}
    </>
  )
}
