import { useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useOnline } from '../../lib/browser/online.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable, BookingPage, BookVenue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import '../../ui/field.css'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sum } from '../../ui/Money.tsx'
import { hasAhead, isOf, withService } from './ahead.ts'
import { Facts } from './Facts.tsx'

/** The id of the form: the buttons of the days stand outside of it. */
export const TABLE_FOR = 'table-for'

/**
 * The id of the form that signs in, which stands outside too: Enter in a field is never to press its button. Without
 * scripts the booking itself is posted there, so that what was typed comes back with the guest.
 */
export const SIGN_IN = 'sign-in-ahead'

/** `day`: in the field of another day, while that of `data` is shown. */
type Props = { data: BookingPage; venue: BookVenue; day?: string | undefined }

/** Time, name and phone. Posted as a plain form; what was typed comes back with its errors. */
export function BookingForm({ data, venue, day }: Props) {
  const t = useText()
  const { flash, kiosk, url } = useShell()
  const online = useOnline()
  const errors = flash?.errors ?? []
  const typed = (field: string) => flash?.values[field]?.[0]
  /** Chosen here: another day may have that time, too. */
  const [chosen, setChosen] = useState<string>()
  const time = chosen ?? typed('time') ?? data.time
  const timeError = errorOf(t, errors, 'time')
  const [twice, at] = flash?.values.twice ?? []
  const { date, guests } = data
  // A refused form leads to the first field that is wrong, with and without scripts.
  const wrong = timeError
    ? 'time'
    : ['name', 'phone', 'comment', 'ahead'].find((name) => errorOf(t, errors, name))
  return (
    <form
      id={TABLE_FOR}
      className="table-for"
      method="post"
      action={actions.book()}
      // A time that was chosen is the document's default at once, so that another day has it, too.
      data-keep={`booking ${venue.id}`}
      data-typed={kiosk ? 'never' : flash || chosen ? '' : undefined}
    >
      {/* The same form pressed twice is one booking, also when its answer was lost on the way. */}
      <Hidden
        fields={{ back: url, filial: venue.id, date, guests, attempt: typed('attempt') ?? data.attempt }}
      />
      {/* Its times are shown first: nobody means the day that is shown still. */}
      {day && day !== date ? <Hidden fields={{ other_day: day }} /> : null}
      {data.slots.length === 0 ? (
        data.failed ? null : (
          <p className="note">{t('booking.noTimes')}</p>
        )
      ) : (
        <fieldset aria-describedby={timeError ? 'time-error' : undefined}>
          <legend>{t('booking.time')}</legend>
          {timeError ? (
            // biome-ignore lint/a11y/noAutofocus: the form was refused for it
            <p id="time-error" className="error" tabIndex={-1} autoFocus>
              {timeError}
            </p>
          ) : null}
          <ul className="slots">
            {data.slots.map((slot) => (
              <li key={`${date} ${slot.time}`}>
                <label data-full={slot.free ? undefined : ''}>
                  <input
                    type="radio"
                    name="time"
                    value={slot.time}
                    defaultChecked={slot.free && slot.time === time}
                    disabled={!slot.free}
                    onChange={() => setChosen(slot.time)}
                  />
                  <span className="num">
                    {slot.time}
                    {slot.free ? null : <small>{t('booking.full')}</small>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <Field
        name="name"
        label={t('booking.name')}
        value={typed('name') ?? data.name}
        error={errorOf(t, errors, 'name')}
        autoFocus={wrong === 'name'}
        maxLength={60}
        autoComplete={kiosk ? 'off' : 'name'}
      />
      <Field
        name="phone"
        type="tel"
        label={t('booking.phone')}
        hint={t('booking.phoneHint')}
        value={typed('phone') ?? formatPhone(data.phone)}
        error={errorOf(t, errors, 'phone')}
        autoFocus={wrong === 'phone'}
        maxLength={30}
        autoComplete={kiosk ? 'off' : 'tel'}
      />
      <Field
        name="comment"
        label={t('booking.comment')}
        value={typed('comment') ?? ''}
        error={errorOf(t, errors, 'comment')}
        autoFocus={wrong === 'comment'}
        maxLength={300}
        long
      />
      <Ahead data={data} wrong={wrong === 'ahead'} />
      {data.slots.length === 0 || online ? null : (
        <p id="offline" className="error" role="status">
          {t('booking.offline')}
        </p>
      )}
      {data.slots.length === 0 ? null : twice ? (
        <Twice id={twice} at={at ?? ''} own={data.own} online={online} />
      ) : (
        <Button off={!online} describedBy={online ? undefined : 'offline'}>
          {t('booking.confirm')}
        </Button>
      )}
    </form>
  )
}

type TwiceProps = { id: string; at: string; own: readonly BookedTable[]; online: boolean }

/** The guest has a table there at that time: one more is booked on a second press alone. */
function Twice({ id, at, own, online }: TwiceProps) {
  const t = useText()
  const table = own.find((one) => one.id === id)
  return (
    <section className="card leaving" aria-labelledby="twice">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the form came back with */}
      <h3 id="twice" tabIndex={-1} autoFocus>
        {t('booking.twice', { time: at })}
      </h3>
      {table ? <Facts table={table} /> : null}
      <p>{t('booking.twiceAsk')}</p>
      <Button name="another" value="1" off={!online} describedBy={online ? undefined : 'offline'}>
        {t('booking.twiceSure')}
      </Button>
      {table ? (
        <Link className="button" data-quiet to={paths.booking({ booking: table.id })}>
          {t('booking.twiceOpen')}
        </Link>
      ) : null}
    </section>
  )
}

/** What lies in the cart can be on the table when its guests come. */
function Ahead({ data, wrong }: { data: BookingPage; wrong: boolean }) {
  const t = useText()
  const { flash, cart, money, kiosk } = useShell()
  const hydrated = useHydrated()
  const error = errorOf(t, flash?.errors ?? [], 'ahead')
  if (!data.ahead && !kiosk && isOf(data, cart)) {
    return (
      <p>
        {t('booking.aheadSignIn', { count: cart.count })}{' '}
        <button
          type="submit"
          className="link"
          {...(hydrated ? { form: SIGN_IN } : { formAction: actions.signIn() })}
        >
          {t('booking.signIn')}
        </button>
      </p>
    )
  }
  if (!hasAhead(data, cart)) {
    return kiosk || !data.venue ? null : (
      <p className="soft">
        {t(data.ahead ? 'booking.aheadCart' : 'booking.aheadHow')}{' '}
        <Link className="link" to={paths.menu(data.venue.id)}>
          {t('booking.menu')}
        </Link>
      </p>
    )
  }
  const inMoney = cart.money ?? money
  return (
    <div>
      <label className="choice">
        <input
          type="checkbox"
          name="ahead"
          // Dishes that came in another tab were not seen here.
          value={`v${cart.version}`}
          // A form that came back says itself whether it was ticked.
          defaultChecked={flash?.values.ahead !== undefined || (data.ticked && !flash?.values.attempt)}
          // biome-ignore lint/a11y/noAutofocus: the form was refused for it
          autoFocus={wrong}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'ahead-error' : undefined}
        />
        <span>{t('booking.ahead', { count: cart.count })}</span>
        <span className="num">
          <Sum of={withService(cart, inMoney)} money={inMoney} />
        </span>
      </label>
      <p className="soft">{cart.lines.map(({ name, qty }) => `${name}\u00a0× ${qty}`).join(', ')}</p>
      {cart.servicePercent ? (
        <p className="soft">{t('booking.aheadService', { percent: cart.servicePercent })}</p>
      ) : null}
      <p className="soft">{t(data.venue?.notOnline ? 'booking.aheadPayThere' : 'booking.aheadPay')}</p>
      <ErrorLine id="ahead-error">{error}</ErrorLine>
    </div>
  )
}
