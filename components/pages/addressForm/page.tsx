import { useEffect, useRef, useState } from 'react'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AddressFormPage } from '../../lib/page-data.ts'
import { errorOf, errorText, isBesideField } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import '../../ui/note.css'
import './address-form.css'

export const title: PageTitle<'addressForm'> = ({ id }, t) =>
  t(id === null ? 'head.addressForm.title' : 'head.addressForm.change')

export const frame: PageFrame<'addressForm'> = { heading: title, back: ({ back }) => back }

type Props = { data: AddressFormPage }

/** Nothing typed or pasted is cut: the server says how much each field takes. */
const ROOM = 1000

/** What is said below the field of the flat as long as it is empty. */
const NO_FLAT = 'no-flat'

/** Between what a guest typed and the chips that go with it. The server joins them so. */
const PART = '; '

/**
 * All that a courier has to know. The server keeps what was typed until it is saved, so it stands here again after every
 * failure, and after another look at the map.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { flash, url, kiosk } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const form = useRef<HTMLFormElement>(null)
  const note = useRef<HTMLDivElement>(null)
  const { id, fields, at } = data
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const wrong = errors.find(isBesideField)?.field
  // Without scripts the frame tells it on top of the page.
  const general = mutation.errors.filter((error) => !isBesideField(error))
  const labels = [t('addressForm.home'), t('addressForm.work')]
  const notes = [t('addressForm.noteCall'), t('addressForm.noteDoor'), t('addressForm.noteBell')]
  const parts = fields.comment.split(PART)
  const own = parts.filter((part) => !notes.includes(part)).join(PART)
  const isNamed = labels.includes(fields.name)
  // The first place that is brought to is mostly where the guest lives.
  const label = isNamed ? fields.name : data.first ? labels[0] : ''
  const [isPressed, setPressed] = useState(false)
  const [flat, setFlat] = useState(fields.apartment)
  const error = (field: string) => errorOf(t, errors, field)
  const token = (name: string) => (kiosk ? 'off' : name)

  // Focus is the browser's: it goes to what is wrong.
  useEffect(() => {
    if (mutation.status !== 'failed') return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (field) field.focus()
    else note.current?.focus()
  }, [mutation.status])

  return (
    <form
      ref={form}
      className="address-form"
      method="post"
      action={actions.saveAddress()}
      onSubmit={mutation.submit}
      // Another place has another door.
      data-keep={`address ${id ?? ''} ${at.lat} ${at.lon}`}
      data-sent={mutation.status === 'sending' || undefined}
    >
      <Hidden
        fields={{
          ...(id === null ? {} : { id }),
          lat: at.lat,
          long: at.lon,
          city: data.city,
          place: data.place,
          back: url,
          next: data.back,
          // A name that is typed beside it counts more.
          ...(label && !isNamed && !isPressed ? { suggested: label } : null),
        }}
      />
      <p className="soft">
        {data.place ? t('addressForm.place', { place: data.place }) : t('addressForm.noName')}
      </p>
      {error('place') ? <p className="error">{t('addressForm.noPlace')}</p> : null}
      <Field
        name="street"
        label={t('addressForm.street')}
        value={fields.street}
        error={error('street')}
        autoFocus={wrong === 'street'}
        maxLength={ROOM}
        autoComplete={token('address-line1')}
      />
      <Field
        name="building"
        label={t('addressForm.building')}
        value={fields.building}
        error={error('building')}
        autoFocus={wrong === 'building'}
        maxLength={ROOM}
      />
      <div className="house">
        <input type="checkbox" id="private" name="private" value="1" defaultChecked={fields.privateHouse} />
        <label htmlFor="private">{t('addressForm.private')}</label>
        {/* CSS hides it for a house of its own: right without scripts, too. */}
        <div className="flat">
          <Field
            name="entrance"
            label={t('addressForm.entrance')}
            value={fields.entrance}
            error={error('entrance')}
            autoFocus={wrong === 'entrance'}
            maxLength={ROOM}
          />
          <Field
            name="floor"
            label={t('addressForm.floor')}
            value={fields.floor}
            error={error('floor')}
            autoFocus={wrong === 'floor'}
            maxLength={ROOM}
            keys="numeric"
          />
          <Field
            name="apartment"
            label={t('addressForm.apartment')}
            value={fields.apartment}
            error={error('apartment')}
            autoFocus={wrong === 'apartment'}
            maxLength={ROOM}
            autoComplete={token('address-line2')}
            describedBy={flat.trim() ? undefined : NO_FLAT}
            onInput={setFlat}
          />
          {/* Nothing asks for it: a small house may have no flats either. */}
          {flat.trim() ? null : (
            <p id={NO_FLAT} className="soft">
              {t('addressForm.noFlat')}
            </p>
          )}
        </div>
      </div>
      <fieldset>
        <legend>{t('addressForm.notes')}</legend>
        <div className="address-tags">
          {notes.map((note) => (
            <label key={note}>
              <input type="checkbox" name="note" value={note} defaultChecked={parts.includes(note)} />
              <span>{note}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        name="comment"
        label={t('addressForm.comment')}
        value={own}
        error={error('comment')}
        autoFocus={wrong === 'comment'}
        maxLength={ROOM}
        long
      />
      <fieldset>
        <legend>{t('addressForm.label')}</legend>
        <div className="address-tags">
          {[...labels, ''].map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="label"
                value={one}
                defaultChecked={one === label}
                onChange={() => setPressed(true)}
              />
              <span>{one || t('addressForm.other')}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        name="name"
        label={t('addressForm.name')}
        value={isNamed ? '' : fields.name}
        error={error('name')}
        autoFocus={wrong === 'name'}
        maxLength={ROOM}
      />
      {general.length > 0 ? (
        <div className="note" data-bad role="alert" tabIndex={-1} ref={note}>
          {general.map((one) => (
            <p key={one.code}>{errorText(t, one)}</p>
          ))}
          <p>{t('addressForm.kept')}</p>
        </div>
      ) : null}
      {/* The first button is the one that Enter presses. */}
      <Button busy={mutation.status === 'sending'}>{t('addressForm.save')}</Button>
      <Button quiet name="to" value="map">
        {t('addressForm.map')}
      </Button>
    </form>
  )
}
