import type { ReactNode } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { DayHours, DetailsPage, NetworkKind, Point } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { formatNumber } from '../../lib/text/message.ts'
import { useText } from '../../lib/text/text.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { VenueMap } from './VenueMap.tsx'
import './details.css'

export const title: PageTitle<'details'> = ({ venue }, t) => t('head.details.title', { venue: venue.name })

export const frame: PageFrame<'details'> = { back: ({ venue }) => paths.menu(venue.id) }

/** As in `ServiceTags`: three words shared between pages would be a file of their own to be fetched. */
const SERVICE_SIGNS = { delivery: 'bike', express: 'utensils', takeaway: 'shopping-bag' } as const

type Props = { data: DetailsPage }

/** Everything about a venue: when it is open, where it stands, how to reach it, what it offers. */
export function Page({ data }: Props) {
  const t = useText()
  const { services } = useShell()
  const { venue, banner } = data
  const siblings = venue.siblings.filter(({ service }) => services.includes(service))
  const warning = banner ? banner.message || (banner.kind ? t.maybe(`banner.${banner.kind}`) : '') : ''
  return (
    <article className="details">
      <header>
        {venue.image ? <Photo src={venue.image} kind="card" hero /> : null}
        <div>
          <h1>{venue.name}</h1>
          {data.prefix ? (
            <p className="soft" lang="en">
              {data.prefix}
            </p>
          ) : null}
          <p className="venue-facts">
            <OpenLine state={venue.open} />
            <Rating data={data} />
          </p>
          <p className="directions">
            <Link className="button" to={paths.menu(venue.id)}>
              {t('details.menu')}
            </Link>
            {data.books ? (
              <Link className="button" data-quiet to={paths.booking({ filial: venue.id })}>
                {t('details.booking')}
              </Link>
            ) : null}
          </p>
        </div>
      </header>
      {warning ? (
        <p className="note" data-info={banner?.kind ? undefined : true}>
          {warning}
        </p>
      ) : null}
      <div className="parts">
        <Part id="hours" title={t('details.hours')}>
          <Hours days={data.days} />
          {data.schedule && !data.days.every(({ always }) => always) ? (
            <p className="soft">{data.schedule}</p>
          ) : null}
        </Part>
        <Part id="address" title={t('details.address')}>
          <address>
            {data.town ? `${data.town}, ` : ''}
            {venue.address}
          </address>
          <Routes data={data} />
          {data.point ? (
            <VenueMap
              id={venue.id}
              at={data.point}
              name={
                data.rating
                  ? `${venue.name}, ${t('venue.rating')} ${formatNumber(data.rating, t.lang)}`
                  : venue.name
              }
              sign={data.rating ? formatNumber(data.rating, t.lang) : '•'}
              closed={!venue.open.open}
              credit={data.credit}
              texts={{
                show: t('details.map'),
                loading: t('app.loading'),
                failed: t('details.mapFailed'),
                closer: t('details.closer'),
                farther: t('details.farther'),
                name: t('details.mapName', { venue: venue.name }),
              }}
            />
          ) : null}
        </Part>
        <Contacts data={data} />
        <Part id="services" title={t('details.services')}>
          <ul className="rows">
            {siblings.map(({ service, id }) => (
              <li key={service}>
                <Link to={paths.menu(id)}>
                  <Icon name={SERVICE_SIGNS[service]} />
                  <span>{t(`service.${service}`)}</span>
                  <span className="soft">{t('details.menu')}</span>
                </Link>
              </li>
            ))}
          </ul>
          <ServiceNotes data={data} />
        </Part>
        <Part id="payment" title={t('details.payment')}>
          {data.payments.length > 0 ? (
            <ul className="rows">
              {data.payments.map((kind) => (
                <li key={kind}>
                  <Icon name={kind === 'cash' ? 'banknote' : 'credit-card'} />
                  {t.maybe(`details.pay.${kind}`) ?? kind}
                </li>
              ))}
            </ul>
          ) : (
            <p>{t('details.noPayment')}</p>
          )}
        </Part>
      </div>
    </article>
  )
}

type PartProps = { id: string; title: string; children: ReactNode }

function Part({ id, title, children }: PartProps) {
  return (
    <section className="card" aria-labelledby={id} data-part={id}>
      <h2 id={id}>{title}</h2>
      <Section name={id}>{children}</Section>
    </section>
  )
}

/** No stars for a venue without ratings; what guests say stands on a page of its own. */
function Rating({ data: { venue, rating, reviews } }: Props) {
  const t = useText()
  return (
    <span className="num">
      {rating ? (
        <>
          <span className="star" aria-hidden="true" />
          <span className="vh">{t('venue.rating')} </span>
          {formatNumber(rating, t.lang)}
          {' · '}
        </>
      ) : null}
      <Link className="link" to={paths.reviews(venue.id)}>
        {reviews > 0 ? t('details.reviews', { count: reviews }) : t('details.noReviews')}
      </Link>
    </span>
  )
}

/** A table of the week; today is marked in words, too. */
function Hours({ days }: { days: DayHours[] }) {
  const t = useText()
  return (
    <table className="hours">
      <caption className="vh">{t('details.hours')}</caption>
      <tbody>
        {days.map((day) => (
          <tr key={day.day} data-today={day.today || undefined}>
            <th scope="row">
              {t.maybe(`details.day${day.day}`)}
              {/* The row may break at the space, which must not be in what does not break. */}
              {day.today ? ' ' : null}
              {day.today ? <em>{t('details.today')}</em> : null}
            </th>
            <td className="num">
              {day.always
                ? t('details.always')
                : day.spans.length === 0
                  ? t('details.closed')
                  : day.spans.map(({ from, to, nextDay }) => (
                      <span key={from}>
                        {t(nextDay ? 'details.spanNight' : 'details.span', { from, to })}
                      </span>
                    ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Routes({ data: { point, town, venue } }: Props) {
  const t = useText()
  // Nothing leads out of a tablet (KS-06).
  if (useShell().kiosk) return null
  return (
    <ul className="chip-list">
      {point ? (
        <>
          <li>
            <a className="chip" href={`geo:${point.lat},${point.lon}?q=${placeOf(point, venue.name)}`}>
              <Icon name="navigation" />
              {t('details.route')}
            </a>
          </li>
          <li>
            <a className="chip" href={`https://2gis.com/geo/${point.lon},${point.lat}`} rel="noopener">
              2GIS
            </a>
          </li>
          <li>
            <a
              className="chip"
              href={`https://www.google.com/maps/dir/?api=1&destination=${point.lat},${point.lon}`}
              rel="noopener"
            >
              Google Maps
            </a>
          </li>
        </>
      ) : null}
      <li>
        <CopyButton
          text={town ? `${town}, ${venue.address}` : venue.address}
          label={t('details.copy')}
          done={t('details.copied')}
          failed={t('details.copyFailed')}
        />
      </li>
    </ul>
  )
}

/** What a `geo:` address searches for: the place with its name in brackets. */
function placeOf({ lat, lon }: Point, name: string): string {
  return encodeURIComponent(`${lat},${lon}(${name.replace(/[()]/g, ' ')})`)
}

const SIGNS: Record<NetworkKind, string> = {
  instagram: 'camera',
  whatsapp: 'message-circle',
  telegram: 'send',
  facebook: 'users',
  tiktok: 'music-2',
  youtube: 'circle-play',
  twoGis: 'map',
  website: 'globe',
  other: 'link',
}

function Contacts({ data: { phone, networks } }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const links = kiosk ? [] : networks
  if (!phone && links.length === 0) return null
  return (
    <Part id="contacts" title={t('details.contacts')}>
      <ul className="rows">
        {phone ? (
          <li>
            {/* A tablet does not call: there the number is read, and no link. */}
            <a href={kiosk ? undefined : phone.href}>
              <Icon name="phone" />
              <span className="num">{formatPhone(phone.text)}</span>
            </a>
          </li>
        ) : null}
        {links.map(({ kind, name, link }) => (
          <li key={link}>
            <a href={link} rel="noopener" data-network={kind}>
              <Icon name={SIGNS[kind]} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Waiting, service share, and how it delivers now. */
function ServiceNotes({ data: { venue, minutes, ...data } }: Props) {
  const t = useText()
  const delivers = useShell().services.includes('delivery')
  const delivery = delivers ? data.delivery : null
  const ownDelivery = delivers ? data.ownDelivery : null
  const money = (sum: number) => formatMoney(sum, venue.money)
  const lines = [
    minutes === null ? '' : t('details.minutes', { count: minutes }),
    venue.servicePercent > 0 ? t('details.servicePercent', { percent: venue.servicePercent }) : '',
    delivery && !delivery.open ? t('details.noDelivery') : '',
    delivery?.open && delivery.delay > 0 ? t('details.delay', { count: delivery.delay }) : '',
    ownDelivery ? t('details.deliveryCost', { sum: money(ownDelivery.cost) }) : '',
    ownDelivery && ownDelivery.minSum > 0 ? t('details.deliveryMin', { sum: money(ownDelivery.minSum) }) : '',
    ownDelivery && ownDelivery.maxSum > 0 ? t('details.deliveryMax', { sum: money(ownDelivery.maxSum) }) : '',
  ].filter(Boolean)
  return lines.length === 0 ? null : (
    <ul className="venue-facts soft">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
