import { useEffect, useState } from 'react'
import { here } from '../../lib/browser/address.ts'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { Position } from '../../lib/browser/known-position.ts'
import { locate, type Unknown } from '../../lib/browser/position.ts'
import { formatDistance } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AddressCard, AddressesPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { doorOf } from '../../parts/address/door.ts'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import '../../ui/close.css'
import '../../ui/note.css'
import './addresses.css'

export const title: PageTitle<'addresses'> = (_, t) => t('head.addresses.title')

export const frame: PageFrame<'addresses'> = { back: null }

type Props = { data: AddressesPage }

/** Where orders can be brought: the active address first, then the nearest. One tap chooses another. */
export function Page({ data }: Props) {
  const t = useText()
  const { url, town, kiosk } = useShell()
  const navigate = useNavigate()
  const [near, setNear] = useState<{ of: AddressesPage; found: AddressCard[] } | null>(null)
  const { back, local, failed, deleted } = data

  // What had the focus may be gone: the way back of what was deleted has it then, else the heading.
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const next = data.deleted === null ? '#addresses' : '.addresses .note[data-info] button'
    document.querySelector<HTMLElement>(next)?.focus()
  }, [data])

  // A guest who puts it away goes on at the link that led here, and not at the heading, which a page gives the focus first.
  useEffect(
    () => () => {
      if (here() !== back) return
      const link = document.querySelector<HTMLElement>(`[href$="${paths.addresses({ back })}"]`)
      queueMicrotask(() => link?.focus({ preventScroll: true }))
    },
    [back],
  )

  const active = data.addresses[0]?.id
  // Distances change no choice: the active one stays the first.
  const addresses =
    near?.of === data
      ? [...near.found].sort((one, other) => Number(other.id === active) - Number(one.id === active))
      : data.addresses
  return (
    <Sheet
      labelledBy="addresses"
      whole
      onClose={() => navigate(back, { replace: true })}
      close={<Link className="close" to={back} replace aria-label={t('app.close')} />}
    >
      <div className="addresses">
        <h1 id="addresses" tabIndex={-1} data-focus="">
          {t('addresses.title')}
        </h1>
        {failed ? (
          <div className="note" data-bad role="alert">
            <p>{t('addresses.failed')}</p>
            <a className="link" href={url}>
              {t('app.retry')}
            </a>
          </div>
        ) : addresses.length === 0 ? (
          <p className="soft">{t('addresses.empty')}</p>
        ) : null}
        {addresses.length > 0 ? (
          <ul>
            {addresses.map((address) => (
              <Address key={address.id} address={address} active={address.id === active} back={back} />
            ))}
          </ul>
        ) : null}
        {deleted === null ? null : <Undo address={deleted} />}
        {addresses.length > 1 ? <Measure onFound={(found) => setNear({ of: data, found })} /> : null}
        <Link className="button" to={paths.addressMap({ back })}>
          <Icon name="plus" />
          {t(local && addresses.length > 0 ? 'addresses.other' : 'addresses.add')}
        </Link>
        {local && !kiosk ? <KeepIt /> : null}
        {town.name ? (
          <Link className="link" to={paths.town({ back })}>
            {t('town.change', { town: town.name })}
          </Link>
        ) : null}
      </div>
    </Sheet>
  )
}

type AddressProps = { address: AddressCard; active: boolean; back: string }

function Address({ address, active, back }: AddressProps) {
  const t = useText()
  const { url } = useShell()
  const choose = useMutation()
  const remove = useMutation()
  const { id, name, text, distance } = address
  return (
    <li data-active={active || undefined}>
      <form method="post" action={actions.chooseAddress(id)} onSubmit={choose.submit}>
        <Hidden fields={{ back }} />
        <button type="submit" className="pick" aria-current={active ? 'true' : undefined}>
          <b>{name || text}</b>
          <span className="soft">{detailsOf(address, t)}</span>
          <span className="soft num">
            {active ? t('addresses.active') : null}
            {active && distance !== null ? ' · ' : null}
            {distance === null ? null : formatDistance(distance, t)}
          </span>
        </button>
      </form>
      <div className="more">
        <Link className="link" to={paths.addressForm({ id, back })}>
          {t('addresses.edit')}
          <span className="vh"> {name || text}</span>
        </Link>
        <form method="post" action={actions.deleteAddress(id)} onSubmit={remove.submit}>
          <Hidden fields={{ back: url }} />
          <button type="submit" className="link" aria-busy={remove.status === 'sending' || undefined}>
            {t('addresses.delete')}
            <span className="vh"> {name || text}</span>
          </button>
        </form>
      </div>
    </li>
  )
}

/** What the courier reads under the name. */
function detailsOf(address: AddressCard, t: Text): string {
  const { name, text, city, privateHouse } = address
  return [name ? text : '', city, privateHouse ? t('addresses.private') : '', doorOf(t, address)]
    .filter(Boolean)
    .join(', ')
}

/** The address that has just been deleted, to be had back. */
function Undo({ address }: { address: string }) {
  const t = useText()
  const { url } = useShell()
  const mutation = useMutation()
  return (
    <form
      className="note"
      data-info=""
      method="post"
      action={actions.undoAddress()}
      onSubmit={mutation.submit}
    >
      <Hidden fields={{ back: url }} />
      <p role="status">{t('addresses.deleted', { address })}</p>
      <Button quiet busy={mutation.status === 'sending'}>
        {t('cart.undo')}
      </Button>
    </form>
  )
}

/** A guest who is not signed in has one address, in this browser. */
function KeepIt() {
  const t = useText()
  const { url } = useShell()
  return (
    <form className="keep" method="post" action={actions.signIn()}>
      <Hidden fields={{ back: url }} />
      <p className="soft">{t('addresses.local')}</p>
      <button type="submit" className="link">
        {t('addresses.signIn')}
      </button>
    </form>
  )
}

/** Asks where the guest is, on a tap only, and how far the addresses are from there. */
function Measure({ onFound }: { onFound: (found: AddressCard[]) => void }) {
  const t = useText()
  const hydrated = useHydrated()
  const { url } = useShell()
  const [status, setStatus] = useState<'idle' | 'asking' | 'failed' | Unknown>('idle')
  if (!hydrated) return null

  async function measure(): Promise<void> {
    setStatus('asking')
    const here = await locate()
    if (typeof here === 'string') {
      setStatus(here)
      return
    }
    const found = await measured(url, here)
    setStatus(found ? 'idle' : 'failed')
    if (found) onFound(found)
  }

  return (
    <div className="measure">
      <button
        type="button"
        className="chip"
        aria-busy={status === 'asking' || undefined}
        onClick={status === 'asking' ? undefined : measure}
      >
        <Icon name="locate-fixed" />
        {t('addresses.near')}
      </button>
      <p className="soft" role="status">
        {status === 'asking'
          ? t('app.loading')
          : status === 'denied'
            ? t('place.denied')
            : status === 'idle'
              ? ''
              : t('addresses.nearFailed')}
      </p>
    </div>
  )
}

async function measured(url: string, near: Position): Promise<AddressCard[] | null> {
  try {
    const answer = await fetchPage(url, { prefetch: true, near })
    if (answer.kind !== 'page' || answer.data.page.route !== 'addresses') return null
    const { failed, addresses } = answer.data.page.data
    return failed ? null : addresses
  } catch {
    return null
  }
}
