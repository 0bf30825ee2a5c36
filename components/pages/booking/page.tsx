import { type ReactNode, useEffect, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import { about } from '../../lib/page/title.ts'
import type { BookingPage, BookVenue } from '../../lib/page-data.ts'
import { Form } from '../../lib/router/Form.tsx'
import { Link } from '../../lib/router/Link.tsx'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { actions, paths } from '../../paths.ts'
import '../../ui/button.css'
import { Hidden } from '../../ui/Hidden.tsx'
import { hasAhead } from './ahead.ts'
import { BookedTables } from './BookedTables.tsx'
import { BookingForm, SIGN_IN, TABLE_FOR } from './BookingForm.tsx'
import { CancelBooking } from './CancelBooking.tsx'
import { Canceled } from './Canceled.tsx'
import { PastTables } from './PastTables.tsx'
import '../../frame/nav.css'
import './booking.css'

export const title: PageTitle<'booking'> = ({ venue }, t) => about(venue?.name, t('head.booking.title'))

export const frame: PageFrame<'booking'> = {
  heading: (_, t) => t('head.booking.title'),
  beside: (data, { cart }) => [
    'name',
    'phone',
    'comment',
    ...(data.slots.length > 0 ? ['time'] : []),
    ...(hasAhead(data, cart) ? ['ahead'] : []),
  ],
}

type Props = { data: BookingPage }

/** A table for a day and a time: links and forms, so every step has an address and works without scripts. */
export function Page({ data }: Props) {
  const t = useText()
  const { venue, own, done } = data
  const { url, flash } = useShell()
  // `bookingUnknown` and the like: what kept the booking from being made.
  const problem = flash?.kind.startsWith('booking')
    ? t.maybe(`booking.error.${flash.kind.slice(7)}`)
    : undefined
  useSession(data)
  /** What stands in the field of another day, while this one is shown. */
  const [other, setOther] = useState<{ day: string; shown: string }>()
  const shown = `${venue?.id ?? ''} ${data.date}`
  // Its field is drawn anew with another day or venue.
  if (other && other.shown !== shown) setOther(undefined)
  const mine = own.find(({ id }) => id === done)
  const leaving = own.find(({ id }) => id === data.cancel)
  if (leaving) {
    return (
      <div className="book">
        <CancelBooking table={leaving} />
      </div>
    )
  }
  if (mine) {
    return (
      <div className="book">
        <section aria-labelledby="done">
          <h2 id="done">{t('booking.done')}</h2>
          <BookedTables tables={[mine]} main />
          <Link className="link" to={paths.booking()}>
            {t('booking.again')}
          </Link>
        </section>
      </div>
    )
  }
  const gone = data.past.find(({ id, canceled }) => id === done && canceled)
  if (gone) {
    return (
      <div className="book">
        <Canceled table={gone} />
      </div>
    )
  }
  if (data.notLoaded) {
    return <NoAnswer title={t('booking.notLoaded')} text={t('booking.notLoadedText')} href={url} />
  }
  const booked =
    own.length > 0 ? (
      <section aria-labelledby="own">
        <h2 id="own">{t('booking.own')}</h2>
        <BookedTables tables={own} />
      </section>
    ) : null
  return (
    <div className="book">
      {problem ? (
        // biome-ignore lint/a11y/noAutofocus: the form was refused for it
        <p className="note" data-bad role="alert" tabIndex={-1} autoFocus>
          {problem}
        </p>
      ) : null}
      {flash?.kind === 'bookingCancelled' ? (
        <p className="note" data-info role="status">
          {t('booking.cancelled')}
        </p>
      ) : null}
      {/* Before a list of venues that may be long; behind the form that a guest has come for. */}
      {venue ? null : booked}
      <PastTables tables={data.past} />
      {venue?.closed ? (
        <Closed venue={venue} />
      ) : venue ? (
        <Chosen data={data} venue={venue} onDay={(day) => setOther({ day, shown })} />
      ) : (
        <Choose venues={data.venues} />
      )}
      {data.failed ? (
        <NoAnswer title={t('booking.failed')} text={t('booking.failedText')} href={url} />
      ) : null}
      {/* What was typed stays when the day has no tables. */}
      {venue && !venue.closed ? (
        <>
          <form id={SIGN_IN} hidden method="post" action={actions.signIn()}>
            <Hidden fields={{ back: url }} />
          </form>
          <BookingForm data={data} venue={venue} day={other?.shown === shown ? other.day : undefined} />
        </>
      ) : null}
      {venue ? booked : null}
    </div>
  )
}

/**
 * What was fetched before the guest came begins no session: it is asked for once more, so that two tabs that book at one
 * moment know of each other.
 */
function useSession({ venue, held }: BookingPage): void {
  const revalidate = useRevalidate()
  const missing = venue && !venue.closed && !held ? venue.id : null
  // The session is the server's. Once for each venue: it may not be had.
  useEffect(() => {
    if (missing !== null) void revalidate()
  }, [missing, revalidate])
}

/** Closed for repairs or the like: no day can be chosen. */
function Closed({ venue }: { venue: BookVenue }) {
  const t = useText()
  return (
    <div className="note">
      <p>{t('booking.closed', { venue: venue.name })}</p>
      <p>
        <Link className="link" to={paths.booking()}>
          {t('booking.other')}
        </Link>
      </p>
    </div>
  )
}

function Choose({ venues }: { venues: readonly BookVenue[] }) {
  const t = useText()
  if (venues.length === 0) return null
  return (
    <section aria-labelledby="choose">
      <h2 id="choose">{t('booking.choose')}</h2>
      <ul className="choose">
        {venues.map((venue) => (
          <li key={venue.id}>
            <Link to={paths.booking({ filial: venue.id })}>
              <b>{venue.name}</b>
              <span className="soft">{venue.address}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The venue, the day and how many come. */
function Chosen({ data, venue, onDay }: Props & { venue: BookVenue; onDay: (day: string) => void }) {
  const t = useText()
  const hydrated = useHydrated()
  const { date, guests, days, time } = data
  const query = new URLSearchParams(useShell().url.split('?')[1])
  const wanted = query.get('date')
  const party = query.get('guests') ?? ''
  const at = (change: { date?: string; guests?: number }) =>
    paths.booking({
      filial: venue.id,
      date,
      guests,
      ...(time ? { time } : {}),
      ...(data.ticked ? { ahead: 1 } : {}),
      ...change,
    })
  return (
    <>
      <section className="where">
        <div>
          <h2>{venue.name}</h2>
          <p className="soft">{venue.address}</p>
        </div>
        <Link className="link" to={paths.booking()}>
          {t('booking.other')}
        </Link>
      </section>
      {/* Enter in a field books; it presses the first button of the form. */}
      {hydrated ? null : <button type="submit" form={TABLE_FOR} className="vh" tabIndex={-1} aria-hidden />}
      <nav className="days" aria-label={t('booking.day')}>
        {days.map((day) => (
          <Choice
            key={day.date}
            to={at({ date: day.date })}
            name="day"
            value={day.date}
            current={day.date === date}
          >
            <span>{t.maybe(`booking.weekday${day.weekday}`)}</span>
            <b className="num">{day.day}</b>
          </Choice>
        ))}
      </nav>
      {wanted && wanted !== date ? <p className="note">{t('booking.noSuchDay')}</p> : null}
      {/* What is no number was not asked for. */}
      {/^\d+$/.test(party) && Number(party) > data.most ? (
        <p className="note">{t('booking.noSuchParty', { count: data.most })}</p>
      ) : null}
      {data.isNext ? <p className="soft next">{t('booking.next')}</p> : null}
      <div className="when">
        <Form action={paths.booking()} replace preventScrollReset>
          <input type="hidden" name="filial" value={venue.id} />
          <input type="hidden" name="guests" value={guests} />
          <label htmlFor="date">{t('booking.otherDay')}</label>
          <input
            key={date}
            id="date"
            type="date"
            form={hydrated ? undefined : TABLE_FOR}
            name={hydrated ? 'date' : 'other_day'}
            defaultValue={date}
            onChange={({ target }) => onDay(target.validity.valid ? target.value : '')}
            min={days[0]?.date}
            max={data.last}
            required
          />
          <button
            type="submit"
            className="button"
            data-quiet=""
            form={hydrated ? undefined : TABLE_FOR}
            name={hydrated ? undefined : 'show'}
            value={1}
          >
            {t('booking.show')}
          </button>
        </Form>
        <div className="party">
          <span id="party">{t('booking.guests')}</span>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would have a legend, the words stand beside it */}
          <div role="group" aria-labelledby="party">
            {guests > 1 ? (
              <Choice className="fewer" to={at({ guests: guests - 1 })} name="party" value={guests - 1}>
                <span className="vh">{t('booking.fewer')}</span>
              </Choice>
            ) : (
              <span />
            )}
            <output className="num">{guests}</output>
            {guests < data.most ? (
              <Choice className="more" to={at({ guests: guests + 1 })} name="party" value={guests + 1}>
                <span className="vh">{t('booking.more')}</span>
              </Choice>
            ) : (
              <span />
            )}
          </div>
        </div>
      </div>
      <Zone venue={venue} />
    </>
  )
}

type ChoiceProps = {
  to: string
  name: string
  value: string | number
  className?: string
  current?: boolean
  children: ReactNode
}

/** The same page for another day or party: Back leaves the booking at once. Without scripts it is a button of the form: what was typed there comes along. */
function Choice({ to, name, value, className, current, children }: ChoiceProps) {
  const hydrated = useHydrated()
  const common = { className, 'aria-current': current ? ('date' as const) : undefined }
  return hydrated ? (
    <Link to={to} replace preventScrollReset {...common}>
      {children}
    </Link>
  ) : (
    <button type="submit" form={TABLE_FOR} name={name} value={value} {...common}>
      {children}
    </button>
  )
}

/** Only told where it matters: on a phone whose clock is another. */
function Zone({ venue }: { venue: BookVenue }) {
  const t = useText()
  const [differs, setDiffers] = useState(false)
  // The phone's clock is outside of React, and the server can't know it.
  useEffect(() => {
    setDiffers(-new Date().getTimezoneOffset() !== venue.utcOffset)
  }, [venue.utcOffset])
  return differs ? <p className="soft">{t('booking.zone')}</p> : null
}
