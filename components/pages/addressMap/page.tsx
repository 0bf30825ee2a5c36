import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { Canvas } from '../../lib/map/canvas.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AddressMapPage, AddressSpot, Point } from '../../lib/page-data.ts'
import { Form } from '../../lib/router/Form.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import '../../parts/search/search-form.css'
import '../../ui/field.css'
import '../../ui/note.css'
import { askPlace, askText, degrees } from './ask.ts'
import { PinMap } from './PinMap.tsx'
import './address-map.css'

export const title: PageTitle<'addressMap'> = (_, t) => t('head.addressMap.title')

export const frame: PageFrame<'addressMap'> = { heading: title, back: ({ back }) => back }

type Props = { data: AddressMapPage }

/** A pause in typing (screens.md, 2.9). */
const PAUSE = 300

/**
 * A place for an address: the pin in the middle of the map, or a typed text and what it may mean. Each of the two is
 * enough; without scripts it is the second.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { url } = useShell()
  const hydrated = useHydrated()
  const place = useMutation()
  const canvas = useRef<Canvas>(undefined)
  const asking = useRef<AbortController>(undefined)
  const pinned = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(data.at)
  const [chosen, setChosen] = useState(data.chosen)
  const [found, setFound] = useState<AddressMapPage['found'] | null>(data.found)
  const [shown, setShown] = useState(data)
  if (shown !== data) {
    // The server has looked at the same place anew: it is not served.
    setShown(data)
    if (data.chosen) {
      setAt(data.at)
      setChosen(true)
      setFound(data.found)
    }
  }

  // A request is outside of React.
  useEffect(() => () => asking.current?.abort(), [])

  /** Another place stands under the pin: its name follows. */
  function look(next: Point): void {
    asking.current?.abort()
    const request = new AbortController()
    asking.current = request
    setAt(next)
    setChosen(true)
    setFound(null)
    void askPlace(next, request.signal).then((answer) => {
      if (!request.signal.aborted) setFound(answer)
    })
  }

  function go(spot: AddressSpot): void {
    canvas.current?.moveTo(spot.at)
    look(spot.at)
    // The list with what was pressed is gone; the way on is next.
    pinned.current?.querySelector<HTMLElement>(':scope > form button')?.focus()
  }

  function confirm(event: FormEvent<HTMLFormElement>): void {
    if (chosen && !canvas.current?.isMoving()) {
      void place.submit(event)
      return
    }
    // The town's centre is not chosen, and of where a drag has just led the guest has seen nothing: the address is
    // shown before it is taken.
    event.preventDefault()
    look(canvas.current?.centre() ?? at)
  }

  const own = { ...(data.id === null ? {} : { id: data.id }), back: url, next: data.back }
  const spot = found?.spot
  const outside = found?.zone === 'outside'
  return (
    <div className="address-map">
      <Typed data={data} own={own} city={spot?.city ?? ''} onPick={go} />
      <PinMap data={data} at={at} canvas={canvas} onPlace={look} />
      <div className="pinned" ref={pinned}>
        <p role="status" aria-live="polite">
          {!chosen ? (
            <span className="soft">{t(hydrated ? 'addressMap.move' : 'addressMap.type')}</span>
          ) : found === null ? (
            <span className="soft">{t('addressMap.looking')}</span>
          ) : spot ? (
            <b>{spot.text}</b>
          ) : (
            <span className="error">{`${t('addressMap.unnamed')}.`}</span>
          )}
          {chosen && found && !spot ? <span className="soft"> {t('addressMap.unnamedText')}</span> : null}
        </p>
        {outside ? (
          <div className="note" role="alert">
            <p>{t('addressMap.outside')}</p>
            {found.takeaway ? <Takeaway venue={found.takeaway} /> : null}
          </div>
        ) : null}
        {chosen || hydrated ? (
          <form method="post" action={actions.placeAddress()} onSubmit={confirm}>
            <Hidden fields={{ ...own, lat: degrees(at.lat), long: degrees(at.lon), ...namesOf(spot) }} />
            <Button
              quiet={outside}
              busy={place.status === 'sending'}
              {...(outside ? { name: 'anyway', value: '1' } : {})}
            >
              {t(outside ? 'addressMap.anyway' : 'addressMap.confirm')}
            </Button>
          </form>
        ) : null}
      </div>
    </div>
  )
}

/** What the server need not ask again. */
function namesOf(spot: AddressSpot | null | undefined): Record<string, string> {
  if (!spot) return {}
  const { text, city, street, building } = spot
  return { text, city, street, building }
}

type TypedProps = {
  data: AddressMapPage
  own: Record<string, string | number>
  city: string
  onPick(spot: AddressSpot): void
}

/** The field with what its text may mean: forms, which lead on without scripts and move the pin with them. */
function Typed({ data, own, city, onPick }: TypedProps) {
  const t = useText()
  const hydrated = useHydrated()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  const [offered, setOffered] = useState({ query: data.query, items: data.suggestions })

  // Timers and requests are outside of React.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      asking.current?.abort()
    },
    [],
  )

  function ask(text: string): void {
    clearTimeout(timer.current)
    asking.current?.abort()
    const query = text.trim()
    if (query === '') {
      setOffered({ query, items: [] })
      return
    }
    const request = new AbortController()
    asking.current = request
    void askText(query, city, request.signal).then((answer) => {
      if (!request.signal.aborted) setOffered(answer)
    })
  }

  function type(text: string): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(ask, PAUSE, text)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    // Another page would forget where the pin stands.
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('q')
    ask(typeof typed === 'string' ? typed : '')
  }

  const { query, items } = offered
  return (
    <div className="typed">
      <Form role="search" className="find" action={paths.addressMap()} onSubmit={submit}>
        {data.id === null ? null : <input type="hidden" name="id" value={data.id} />}
        <input type="hidden" name="back" value={data.back} />
        <input
          type="search"
          name="q"
          defaultValue={data.query}
          onInput={hydrated ? (event) => type(event.currentTarget.value) : undefined}
          maxLength={100}
          autoComplete="off"
          placeholder={t('addressMap.search')}
          aria-label={t('addressMap.search')}
          enterKeyHint="search"
        />
        <button type="submit" aria-label={t('addressMap.find')}>
          <Icon name="search" />
        </button>
      </Form>
      {items && items.length > 0 ? (
        <ul aria-label={t('addressMap.suggestions')}>
          {items.map((spot) => (
            <li key={`${spot.text} ${spot.at.lat} ${spot.at.lon}`}>
              <form
                method="post"
                action={actions.placeAddress()}
                onSubmit={(event) => {
                  event.preventDefault()
                  setOffered({ query: '', items: [] })
                  onPick(spot)
                }}
              >
                <Hidden
                  fields={{ ...own, lat: degrees(spot.at.lat), long: degrees(spot.at.lon), ...namesOf(spot) }}
                />
                <button type="submit">{spot.text}</button>
              </form>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="soft" role="status">
        {items === null
          ? t('addressMap.noAnswer')
          : query === ''
            ? ''
            : items.length === 0
              ? t('addressMap.nothing')
              : t('addressMap.offered', { count: items.length })}
      </p>
    </div>
  )
}

/** The way on for who is not brought anything there. */
function Takeaway({ venue }: { venue: { id: number; name: string } }) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ service: 'takeaway', back: paths.menu(venue.id) }} />
      <Button busy={mutation.status === 'sending'}>{t('addressMap.takeaway', { venue: venue.name })}</Button>
    </form>
  )
}
