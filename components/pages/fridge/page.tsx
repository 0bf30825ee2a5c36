import { useSyncExternalStore } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useSecondsLeft } from '../../lib/browser/seconds-left.ts'
import { useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { isPoor, watchConnection } from '../../lib/net/connection.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import { about } from '../../lib/page/title.ts'
import type { FieldError, FridgePage, FridgeState, Phone } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useAsking } from '../../lib/router/use-asking.ts'
import { errorText } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import { Basket } from './Basket.tsx'
import './fridge.css'

export const title: PageTitle<'fridge'> = ({ venue }, t) => about(venue.name, t('head.fridge.title'))

export const frame: PageFrame<'fridge'> = {
  back: ({ venue }) => paths.menu(venue.id),
  venue: ({ venue }) => venue,
}

type Props = { data: FridgePage }

/** After this many presses a call is offered. */
const CALL_AFTER = 3
/** Milliseconds between two questions about a door that moves. */
const INTERVAL = 1500
/** The id of the words that say how long to wait. */
const OFTEN = 'often'
const MOVING: readonly FridgeState[] = ['opening', 'open', 'settling', 'unknown']

/** A fridge that the guest opens: its lock, what is taken out, what it came to. */
export function Page({ data }: Props) {
  const t = useText()
  // Not sent again by itself: the guest may have walked away when the network is back.
  const opening = useMutation({ beside: 'all', once: true })
  const poor = useSyncExternalStore(watchConnection, isPoor, () => false)
  const closing = useCartMutation({ beside: 'all' })
  const { flash } = useShell()
  const { cart } = useCart()
  const { venue, long, session } = data
  const lines = cart?.venueId === venue.id ? cart.lines : []
  const sends = closing.status === 'sending'
  // What is chosen after a purchase is another one, and not a part of what is paid.
  const isNext = data.state === 'settled' && lines.length > 0 && !sends
  const state: FridgeState = isNext ? 'ready' : data.state
  // The door moves by itself; a lock that is late may still open.
  useAsking(MOVING.includes(state) || (state === 'failed' && session !== null), INTERVAL)
  const busy = opening.status === 'sending'
  const shown: FridgeState = busy ? 'opening' : sends ? 'settling' : state
  const failures = [...opening.errors, ...closing.errors].filter(
    // The lost network is told only while it is lost.
    ({ code }) => code !== 'age' && (code !== 'network' || poor),
  )
  const all = [...failures, ...(flash?.errors ?? [])]
  const often = all.find(({ field }) => field === 'lock')
  const seconds = useSecondsLeft(Number(often?.values.count ?? 0) * 1000, often)
  // Without scripts nothing would give the button back.
  const isWaiting = useHydrated() && seconds > 0 && !busy
  // Another guest has it open: that outweighs the state that was known before.
  const taken = busy ? undefined : all.find(({ code }) => code === 'fridgeBusy')
  const errors = failures.filter((error) => error !== often && error !== taken)
  // What a form without scripts came back with stands above the page.
  const isAgain = state === 'failed' || errors.length > 0 || flash?.kind === 'formErrors'
  const isOpen = shown === 'open'
  const isNothing = shown === 'settled' && isNothingTaken(data)
  const canOpen = state === 'ready' || state === 'failed' || state === 'settled' || state === 'lost'
  const isShut = canOpen && data.tooYoung
  // What a press came to is newer than the page.
  const presses = Math.max(data.presses, ...all.map(({ values }) => Number(values.presses ?? 0)))
  const isInVain = presses >= CALL_AFTER && canOpen && !busy && !taken
  const wrong = <Wrong errors={errors} isLock={opening.errors.length > 0} support={data.support} />
  return (
    <div className="fridge" data-state={shown}>
      <header>
        <h1>{t('fridge.title')}</h1>
        <p className="soft">
          {venue.name}, {venue.address}
        </p>
      </header>
      <section className="card">
        {/* A purchase that is over is not what was asked for last. */}
        {state === 'settled' ? wrong : null}
        <div role="status">
          <h2>{t(taken ? 'fridge.busy' : isOpen && long ? 'fridge.long' : `fridge.${shown}`)}</h2>
          {/* There is no button to be pressed. */}
          {isShut && state === 'ready' ? null : (
            <p>
              {t(
                taken
                  ? 'errors.fridgeBusy'
                  : isOpen && long
                    ? 'fridge.longText'
                    : isNothing
                      ? 'fridge.settledNothing'
                      : // Nothing is known of it yet where it is settled: a page that is closed now may take it along.
                        sends
                        ? 'fridge.sendingText'
                        : `fridge.${shown}Text`,
              )}
            </p>
          )}
          {state === 'settled' ? <Charged data={data} /> : null}
        </div>
        {state === 'settled' ? null : wrong}
        {often && !busy ? <Often seconds={seconds} /> : null}
        {isInVain ? <Call data={data} /> : null}
        {shown === 'signIn' ? (
          <form method="post" action={actions.signIn()}>
            <Hidden fields={{ back: paths.fridge(venue.id) }} />
            <Button>{t('fridge.toSignIn')}</Button>
          </form>
        ) : null}
        {/* Whatever it will be charged to, it is the upstream that knows. */}
        {shown === 'signIn' || shown === 'ready' ? <p className="soft">{t('fridge.paying')}</p> : null}
        {state === 'settled' ? <ToOrder data={data} /> : null}
        {isShut ? (
          <>
            <p className="note" role="status">
              {t('fridge.tooYoung', { age: data.age ?? 0 })}
            </p>
            <Link className="button" data-quiet to={paths.age({ back: `${paths.fridge(venue.id)}#open` })}>
              {t('fridge.ageAgain')}
            </Link>
          </>
        ) : canOpen ? (
          <form method="post" action={actions.openFridge()} onSubmit={opening.submit}>
            <Hidden fields={{ filial: venue.id, back: paths.fridge(venue.id) }} />
            {data.age !== null && state !== 'settled' ? (
              <p className="soft">{t('fridge.age', { age: data.age })}</p>
            ) : null}
            <Button
              id="open"
              busy={busy}
              quiet={state === 'settled' || state === 'lost'}
              off={isWaiting}
              describedBy={isWaiting ? OFTEN : undefined}
            >
              {t(
                state === 'settled' || (state === 'lost' && !isAgain)
                  ? 'fridge.openAgain'
                  : isAgain
                    ? 'app.retry'
                    : 'fridge.toOpen',
              )}
            </Button>
          </form>
        ) : null}
        {isOpen ? <Ways venueId={venue.id} /> : null}
        {isOpen || (lines.length > 0 && (canOpen || shown === 'signIn')) ? (
          <Basket venue={venue} lines={lines} isOpen={isOpen || shown === 'lost'} />
        ) : null}
        {isOpen && session ? (
          <form method="post" action={actions.closeFridge()} onSubmit={closing.submit}>
            <Hidden fields={{ filial: venue.id, session, back: paths.fridge(venue.id) }} />
            <Button>{t(lines.length > 0 ? 'fridge.close' : 'fridge.shut')}</Button>
          </form>
        ) : null}
        {MOVING.includes(state) ? (
          <noscript>
            <a className="link" href={paths.fridge(venue.id)}>
              {t('fridge.refresh')}
            </a>
          </noscript>
        ) : null}
      </section>
      {isNext && !isNothingTaken(data) ? (
        <details className="card">
          <summary>{t('fridge.before')}</summary>
          <Charged data={data} />
          <ToOrder data={data} quiet />
        </details>
      ) : null}
      {isOpen ? null : <Ways venueId={venue.id} />}
      <Help data={data} />
    </div>
  )
}

const isNothingTaken = ({ order, unscanned }: FridgePage) => order === null && unscanned === 0

/** What a purchase came to, and what of it the guest has not scanned. */
function Charged({ data }: Props) {
  const t = useText()
  const { charged, card, unscanned, venue } = data
  return (
    <>
      {charged === null ? null : (
        <p>{t(card ? 'fridge.chargedCard' : 'fridge.charged', { sum: formatMoney(charged, venue.money) })}</p>
      )}
      {unscanned > 0 ? (
        <div className="note">
          <p>{t('fridge.unscanned', { count: unscanned })}</p>
          <Unseen data={data} />
        </div>
      ) : null}
    </>
  )
}

function ToOrder({ data: { order }, quiet }: Props & { quiet?: boolean }) {
  const t = useText()
  return order ? (
    <Link className="button" data-quiet={quiet || undefined} to={paths.orderInfo(order)}>
      {t('fridge.toOrder')}
    </Link>
  ) : null
}

/** What the fridge has counted beyond what was scanned, by name. */
function Unseen({ data: { unseen, venue } }: Props) {
  const langOf = useTextLanguage()
  return unseen.length === 0 ? null : (
    <ul className="unseen">
      {unseen.map(({ name, qty, sum }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, their order is fixed
        <li key={index}>
          <span>
            <span lang={langOf(name)}>{name}</span>
            <span className="num">{`\u00a0× ${qty}`}</span>
          </span>
          <b className="num">
            <Sum of={sum} money={venue.money} />
          </b>
        </li>
      ))}
    </ul>
  )
}

type WrongProps = { errors: readonly FieldError[]; isLock: boolean; support: Phone | null }

/** What a lock did not hear it never does: it is not told again by itself. */
function lockText(t: Text, { code }: FieldError): string | null {
  if (code === 'network') return t('fridge.noNetwork')
  return code === 'unavailable' ? t('fridge.noAnswer') : null
}

/** Why it was not done. */
function Wrong({ errors, isLock, support }: WrongProps) {
  const t = useText()
  const [error] = errors
  return error ? (
    <div className="note" data-bad role="alert">
      <p>{(isLock && lockText(t, error)) || errorText(t, error)}</p>
      {error.code === 'fridgeGone' ? <Phoned support={support} /> : null}
    </div>
  ) : null
}

/** It was opened too often in a row, and can be again after a while: said once, and counted down on the screen. */
function Often({ seconds }: { seconds: number }) {
  const t = useText()
  return (
    <div className="note" data-bad={seconds > 0 ? '' : undefined} data-info={seconds > 0 ? undefined : ''}>
      {seconds > 0 ? (
        <>
          <p role="alert">{t('fridge.often')}</p>
          <p id={OFTEN}>{t('fridge.oftenIn', { count: seconds })}</p>
        </>
      ) : null}
      <p role="status">{seconds > 0 ? null : t('fridge.oftenOver')}</p>
    </div>
  )
}

/** What is taken is scanned, typed or chosen. */
function Ways({ venueId }: { venueId: number }) {
  const t = useText()
  return (
    <div className="fridge-ways">
      {/* A page of its own: only its document may use the camera. */}
      <a className="button" data-quiet href={paths.barcodeScanner(venueId)}>
        {t('barcode.scan')}
      </a>
      <Link className="button" data-quiet to={paths.barcodeManual(venueId)}>
        {t('barcode.type')}
      </Link>
      <Link className="link" to={paths.menu(venueId)}>
        {t('fridge.goods')}
      </Link>
    </div>
  )
}

/** A door that has failed again and again is nothing to press once more. */
function Call({ data: { support } }: Props) {
  const t = useText()
  return support ? (
    <div className="note" role="status">
      <p>{t('fridge.callText')}</p>
      <Phoned support={support} />
    </div>
  ) : null
}

function Phoned({ support }: Pick<FridgePage, 'support'>) {
  const t = useText()
  const { kiosk } = useShell()
  return support ? (
    // A tablet does not call: there the number is read, and no link.
    <a className={kiosk ? undefined : 'button'} data-quiet="" href={kiosk ? undefined : support.href}>
      <Icon name="phone" />
      <span>
        {t('fridge.call')} <span className="whole">{numberOf(support)}</span>
      </span>
    </a>
  ) : null
}

/** As numbers are written everywhere, however the venue writes its own. */
const numberOf = ({ href }: Phone) => formatPhone(href.slice('tel:'.length))

function Help({ data: { support } }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  return (
    <p className="help">
      {t('fridge.help')}{' '}
      {support ? (
        <a className="link num" href={kiosk ? undefined : support.href}>
          {numberOf(support)}
        </a>
      ) : null}{' '}
      <Link className="link" to={paths.faq('fridge-stuck')}>
        {t('fridge.faq')}
      </Link>
    </p>
  )
}
