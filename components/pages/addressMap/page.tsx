import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { Canvas } from '../../lib/map/canvas.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AddressMapPage, AddressSpot, AddressSuggestions, Point } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths, withQuery } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import '../../parts/search/search-form.css'
import '../../ui/field.css'
import '../../ui/note.css'
import { askPlace, askText, degrees } from './ask.ts'
import { PinMap } from './PinMap.tsx'
import './address-map.css'

export const title: PageTitle<'addressMap'> = (_, t) => t('head.addressMap.title')

export const frame: PageFrame<'addressMap'> = {
  heading: title,
  back: ({ back }) => back,
  beside: () => ['q'],
}

/** The form of the place. The field and its button are of it, too: what is typed goes along with every press. */
const PLACE = 'place'

type Props = { data: AddressMapPage }

/** A pause in typing (screens.md, 2.9). */
const PAUSE = 300

/**
 * A place for an address: the pin in the middle of the map, or a typed text and what it may mean. Each of the two is
 * enough; without scripts it is the second.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { url, flash } = useShell()
  const hydrated = useHydrated()
  const place = useMutation()
  const canvas = useRef<Canvas>(undefined)
  const asking = useRef<AbortController>(undefined)
  const pinned = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  /** What was typed when the pin was last set: no other place is meant by it. */
  const [settled, settle] = useState('')
  /** The button was pressed while another address was typed. */
  const [isPressed, press] = useState(flash?.errors.some((error) => error.field === 'q') ?? false)
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

  const offers = useOffers(data, found?.spot?.city ?? '')

  // A request is outside of React.
  useEffect(() => () => asking.current?.abort(), [])

  const outside = found?.zone === 'outside'
  // Where the window scrolls to is the browser's: that nothing is brought there is seen together with the ways on.
  useEffect(() => {
    if (outside) pinned.current?.scrollIntoView({ block: 'nearest' })
  }, [outside])

  /** Another place stands under the pin: its name follows. `text` was typed when it was asked for. */
  function look(next: Point, text = typedIn(field)): void {
    asking.current?.abort()
    const request = new AbortController()
    asking.current = request
    settle(text)
    press(false)
    setAt(next)
    setChosen(true)
    setFound(null)
    void askPlace(next, request.signal).then((answer) => {
      if (!request.signal.aborted) setFound(answer)
    })
  }

  function go(spot: AddressSpot): void {
    offers.clear()
    canvas.current?.moveTo(spot.at)
    look(spot.at)
    // The list with what was pressed is gone; the way on is next.
    pinned.current?.querySelector<HTMLElement>(':scope > form button')?.focus()
  }

  function confirm(event: SubmitEvent<HTMLFormElement>): void {
    const typed = typedIn(field)
    const pressed = event.submitter?.getAttribute('name')
    if (pressed === 'enter') {
      event.preventDefault()
      // What means a part of the text alone is chosen, not taken.
      press(offers.offered.query === typed && offers.offered.partial)
      // Whoever types on means something else.
      offers.take(typed, (spot) => typedIn(field) === typed && go(spot))
      return
    }
    const isSearch = pressed === 'find'
    const isMoving = canvas.current?.isMoving() ?? false
    const isOpen = typed !== '' && typed !== settled && !isMoving
    // Nothing is meant by what is typed: the pin is, and no second search.
    const isUnknown = offers.offered.query === typed && offers.offered.items?.length === 0
    if (isSearch || (isOpen && !isUnknown)) {
      // The pin stands elsewhere: what is typed is looked up, and the guest chooses.
      event.preventDefault()
      press(!isSearch)
      offers.ask(typed)
      if (!isSearch) field.current?.focus()
      return
    }
    if (chosen && !isMoving && !isOpen) {
      void place.submit(event)
      return
    }
    // The town's centre is not chosen, and of where a drag has just led the guest has seen nothing: the address is
    // shown before it is taken.
    event.preventDefault()
    offers.clear()
    look(canvas.current?.centre() ?? at)
  }

  // An answer that leads back here has no more to look up.
  const back = withQuery(url, { q: null })
  const own = { ...(data.id === null ? {} : { id: data.id }), back, next: data.back }
  const spot = found?.spot
  return (
    <div className="address-map">
      <Typed
        data={data}
        own={own}
        offers={offers}
        field={field}
        unchosen={isPressed}
        onType={() => press(false)}
        onPick={go}
      />
      <PinMap data={data} at={at} canvas={canvas} typed={() => typedIn(field)} onPlace={look} />
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
            {found.ofCart ? <Takeaway venue={found.ofCart} to={paths.cart()} /> : null}
            {found.takeaway ? (
              <Takeaway
                venue={found.takeaway}
                to={paths.menu(found.takeaway.id)}
                quiet={found.ofCart !== null}
              />
            ) : null}
          </div>
        ) : null}
        <form id={PLACE} method="post" action={actions.placeAddress()} onSubmit={confirm}>
          <Hidden
            fields={{
              ...own,
              settled,
              offered: data.query,
              lat: degrees(at.lat),
              long: degrees(at.lon),
              ...namesOf(spot),
            }}
          />
          {chosen || hydrated ? (
            <Button
              quiet={outside}
              busy={place.status === 'sending'}
              {...(outside ? { name: 'anyway', value: '1' } : {})}
            >
              {t(outside ? 'addressMap.anyway' : 'addressMap.confirm')}
            </Button>
          ) : null}
        </form>
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

const typedIn = (field: RefObject<HTMLInputElement | null>) => field.current?.value.trim() ?? ''

type Offers = {
  offered: AddressSuggestions
  ask: (text: string) => void
  /** Takes the first meaning of all of the text, once there are any. */
  take: (text: string, pick: (spot: AddressSpot) => void) => void
  /** Asks after a pause in typing. */
  type: (text: string) => void
  clear: () => void
}

/** What the typed text may mean. */
function useOffers(data: AddressMapPage, city: string): Offers {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  const [offered, setOffered] = useState<AddressSuggestions>({
    query: data.query,
    items: data.suggestions,
    partial: data.partial,
  })

  // Timers and requests are outside of React.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      asking.current?.abort()
    },
    [],
  )

  function ask(text: string, pick?: (spot: AddressSpot) => void): void {
    const query = text.trim()
    if (query === '') {
      clear()
      return
    }
    clearTimeout(timer.current)
    asking.current?.abort()
    const request = new AbortController()
    asking.current = request
    void askText(query, city, request.signal).then((answer) => {
      if (request.signal.aborted) return
      setOffered(answer)
      const first = answer.items?.[0]
      if (first && !answer.partial) pick?.(first)
    })
  }

  function take(text: string, pick: (spot: AddressSpot) => void): void {
    const isThere = offered.query === text
    if (isThere && offered.partial) return
    const first = isThere ? offered.items?.[0] : undefined
    if (first) pick(first)
    else ask(text, pick)
  }

  function type(text: string): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(ask, PAUSE, text)
  }

  function clear(): void {
    // An answer that is still to come is none to what has been chosen.
    clearTimeout(timer.current)
    asking.current?.abort()
    setOffered({ query: '', items: [], partial: false })
  }

  return { offered, ask, take, type, clear }
}

type TypedProps = {
  data: AddressMapPage
  own: Record<string, string | number>
  offers: Offers
  field: RefObject<HTMLInputElement | null>
  /** The guest has pressed on without choosing. */
  unchosen: boolean
  onType(): void
  onPick(spot: AddressSpot): void
}

const LIST = 'q-list'
const optionOf = (index: number) => `q-${index}`

/**
 * The field with what its text may mean: forms, which lead on without scripts. With them it is a combobox, and the buttons of
 * the forms are its options, which move the pin.
 */
function Typed({ data, own, offers, field, unchosen, onType, onPick }: TypedProps) {
  const t = useText()
  const { town, url } = useShell()
  const hydrated = useHydrated()
  const { query, items, partial } = offers.offered
  const [marked, mark] = useState({ of: items, index: -1 })
  const count = items?.length ?? 0
  const isOpen = count > 0
  // Another list has no mark yet.
  const active = marked.of === items ? marked.index : -1
  // Where there is nothing to choose, the line says so.
  const error = unchosen && isOpen ? t('errors.chooseAddress') : undefined

  // Where the window scrolls to is the browser's.
  useEffect(() => {
    if (active >= 0) document.getElementById(optionOf(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    // The input method has the keys now, Enter too.
    if (event.nativeEvent.isComposing || !isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const spot = items?.[active]
    if (step) mark({ of: items, index: ((active + 1 + step + count + 1) % (count + 1)) - 1 })
    else if (event.key === 'Escape') offers.clear()
    else if (event.key === 'Enter' && spot) onPick(spot)
    else return
    event.preventDefault()
  }

  return (
    <div className="typed">
      {/* The first button of its form is the one that Enter presses. */}
      <button type="submit" form={PLACE} name="enter" value="1" className="vh" tabIndex={-1} aria-hidden />
      {/* biome-ignore lint/a11y/useSemanticElements: older browsers do not know it */}
      <div role="search" className="find">
        <input
          ref={field}
          type="search"
          name="q"
          form={PLACE}
          defaultValue={data.query}
          onInput={
            hydrated
              ? (event) => {
                  onType()
                  offers.type(event.currentTarget.value)
                }
              : undefined
          }
          maxLength={100}
          autoComplete="off"
          placeholder={t('addressMap.search')}
          aria-label={t('addressMap.search')}
          {...(hydrated
            ? {
                role: 'combobox',
                'aria-expanded': isOpen,
                'aria-controls': LIST,
                'aria-autocomplete': 'list',
                'aria-activedescendant': active >= 0 ? optionOf(active) : undefined,
                onKeyDown: press,
              }
            : {})}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'q-error' : undefined}
          // biome-ignore lint/a11y/noAutofocus: the form was refused for it
          autoFocus={unchosen}
          enterKeyHint="search"
        />
        <button type="submit" form={PLACE} name="find" value="1" aria-label={t('addressMap.find')}>
          <Icon name="search" />
        </button>
      </div>
      <ErrorLine id="q-error">{error}</ErrorLine>
      {items && isOpen ? (
        <ul id={LIST} aria-label={t('addressMap.suggestions')} {...(hydrated ? { role: 'listbox' } : {})}>
          {items.map((spot, index) => (
            <li
              key={`${spot.text} ${spot.at.lat} ${spot.at.lon}`}
              role={hydrated ? 'presentation' : undefined}
            >
              <form
                role={hydrated ? 'presentation' : undefined}
                method="post"
                action={actions.placeAddress()}
                onSubmit={(event) => {
                  event.preventDefault()
                  onPick(spot)
                }}
              >
                <Hidden
                  fields={{ ...own, lat: degrees(spot.at.lat), long: degrees(spot.at.lon), ...namesOf(spot) }}
                />
                <button
                  type="submit"
                  id={optionOf(index)}
                  {...(hydrated ? { role: 'option', 'aria-selected': index === active, tabIndex: -1 } : {})}
                >
                  {spot.text}
                </button>
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
            : !isOpen
              ? t('addressMap.nothing')
              : partial
                ? t('addressMap.partial')
                : t('addressMap.offered', { count })}
      </p>
      {query !== '' && items && (partial || !isOpen) && town.name ? (
        <Link className="link" to={paths.town({ back: withQuery(url, { q: query }) })}>
          {t('town.change', { town: town.name })}
        </Link>
      ) : null}
    </div>
  )
}

type TakeawayProps = { venue: { name: string }; to: string; quiet?: boolean }

/** The way on for who is not brought anything there. The cart comes along to its own venue alone. */
function Takeaway({ venue, to, quiet = false }: TakeawayProps) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ service: 'takeaway', back: to }} />
      <Button quiet={quiet} busy={mutation.status === 'sending'}>
        {t('addressMap.takeaway', { venue: venue.name })}
      </Button>
    </form>
  )
}
