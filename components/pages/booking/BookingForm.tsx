import { useShell } from '../../lib/page/shell.ts'
import type { BookingPage, BookVenue } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = { data: BookingPage; venue: BookVenue }

/** Time, name and phone. Posted as a plain form; what was typed comes back with its errors. */
export function BookingForm({ data, venue }: Props) {
  const t = useText()
  const { flash, kiosk } = useShell()
  const errors = flash?.errors ?? []
  const typed = (field: string) => flash?.values[field]?.[0]
  const time = typed('time') ?? data.time
  const timeError = errorOf(t, errors, 'time')
  const { date, guests } = data
  // A refused form leads to the first field that is wrong, with and without scripts.
  const wrong = timeError ? 'time' : ['name', 'phone', 'comment'].find((name) => errorOf(t, errors, name))
  return (
    <form className="table-for" method="post" action={actions.book()}>
      {/* The same form pressed twice is one booking, also when its answer was lost on the way. */}
      <Hidden fields={{ filial: venue.id, date, guests, attempt: typed('attempt') ?? data.attempt }} />
      <fieldset aria-describedby={timeError ? 'time-error' : undefined}>
        <legend>{t('booking.time')}</legend>
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
                />
                <span className="num">
                  {slot.time}
                  {slot.free ? null : <small>{t('booking.full')}</small>}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {timeError ? (
          // biome-ignore lint/a11y/noAutofocus: the form was refused for it
          <p id="time-error" className="error" tabIndex={-1} autoFocus>
            {timeError}
          </p>
        ) : null}
      </fieldset>
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
        value={typed('phone') ?? data.phone}
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
      <Button>{t('booking.confirm')}</Button>
    </form>
  )
}
