import { wasm } from 'build:scanner'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { host, isHosted } from '../../lib/browser/host-app.ts'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { note, probe } from '../../lib/net/connection.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import { load } from '../../lib/net/reload.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { about } from '../../lib/page/title.ts'
import type { BarcodeScannerPage, CameraTrouble } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { TableNumber } from '../../parts/table/TableNumber.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { cameraPermission, hasNoCamera, isFramedOff } from './camera.ts'
import { formatOf, type Read, scannedOf } from './codes.ts'
import { Result, type ScanResult } from './Result.tsx'
import { createScanner, NO_CAMERA, type Scanner } from './scanner.ts'
import { Viewfinder } from './Viewfinder.tsx'
import './scanner.css'

export const title: PageTitle<'barcodeScanner'> = ({ venue }, t) =>
  about(venue.name, t('head.barcodeScanner.title'))

export const frame: PageFrame<'barcodeScanner'> = {
  back: ({ venue, fridge, table }, { table: own, cart }) => {
    if (!table) return fridge ? paths.fridge(venue.id) : paths.menu(venue.id)
    // A table is looked for from its bill, and from a cart that has none yet.
    if (own?.venueId === venue.id) return paths.bill(venue.id)
    return cart?.venueId === venue.id ? paths.cart() : paths.menu(venue.id)
  },
  bar: true,
  venue: ({ venue }) => venue,
}

type Props = { data: BarcodeScannerPage }

/**
 * Goods by the camera. What it is for is said before the browser asks (screens.md, 2.13); the way without it is always
 * there. Whatever keeps the camera away leads to typing, with the reason.
 */
export function Page({ data }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { venue, fridge, table, typed } = data
  const video = useRef<HTMLVideoElement>(null)
  const still = useRef<HTMLCanvasElement>(null)
  const scanner = useRef<Scanner>(null)
  const [state, setState] = useState(NO_CAMERA)
  const [result, setResult] = useState<ScanResult | null>(null)
  const [trouble, setTrouble] = useState<CameraTrouble | null>(null)
  /** The device has no camera, as far as is known without asking for one. */
  const [lacking, setLacking] = useState(false)
  /** The host app is asked. */
  const [asking, setAsking] = useState(false)
  const byHost = useRef(false)
  /** The host has denied the camera to the page: its own scanner is left. */
  const denied = useRef(false)

  const leaveToTyping = useEffectEvent((camera: CameraTrouble) => {
    // The number of a table is typed on this page.
    if (table) setTrouble(camera)
    else navigate(paths.barcodeManual(venue.id, { camera }), { replace: true })
  })

  const take = useEffectEvent((read: Read) => {
    // The host's scanner does not look on: what it has misread is told.
    const misread = byHost.current ? ({ kind: 'wrong', code: read.text } as const) : null
    const scanned = scannedOf(read, location.origin) ?? misread
    // Who looks for a table looks past the bottles on it.
    if (!scanned || (table && (scanned.kind === 'good' || scanned.kind === 'wrong'))) return
    scanner.current?.hold()
    navigator.vibrate?.(40)
    if (scanned.kind === 'table') void openTable(scanned.path)
    else if (scanned.kind === 'good') void lookUp(scanned.code)
    else setResult(scanned)
  })

  // The camera is outside of React, and released with the page.
  useEffect(() => {
    if (!video.current || !still.current) return
    // Only a document of this very page may use the camera: one that was led here by the history is loaded anew.
    if (!isLoadedHere()) {
      location.reload()
      return
    }
    const own = createScanner(video.current, still.current, {
      state: setState,
      trouble: (trouble) => leaveToTyping(trouble),
      read: (read) => take(read),
    })
    scanner.current = own
    let here = true
    void cameraPermission().then((permission) => {
      denied.current = permission === 'denied'
      // A host app has a scanner of its own, which opens at a press alone.
      if (!here || isHosted()) return
      // The browser does not ask guests again who have agreed or refused.
      if (permission === 'granted') void own.start()
      if (permission === 'denied') leaveToTyping(denial())
      if (permission === 'notDetermined') void hasNoCamera().then((none) => here && setLacking(none))
    })
    return () => {
      here = false
      own.leave()
    }
  }, [])

  /** A table is another page, with what the server says of it. Without a network its load would end this one. */
  async function openTable(path: string): Promise<void> {
    const isThere = await probe().then(
      () => true,
      () => false,
    )
    // The guest has gone on.
    if (!video.current) return
    if (isThere) return load(path)
    note('lost')
    goOn()
  }

  async function lookUp(code: string): Promise<void> {
    setResult({ kind: 'looking', code })
    const found = await goodOf(venue.id, code)
    setResult((now) => (now?.kind === 'looking' && now.code === code ? found : now))
  }

  function goOn(): void {
    setResult(null)
    // The host's own scanner is over with what it has read.
    if (byHost.current) byHost.current = false
    else void start()
  }

  /** By the host app's scanner, where there is one that answers, else by the camera of this page. */
  async function start(): Promise<void> {
    setTrouble(null)
    if (isHosted()) {
      setAsking(true)
      const scanned = await (await host())?.scan(table ? 'text' : 'barcode')
      setAsking(false)
      if (scanned === 'closed') return
      if (scanned) {
        byHost.current = true
        const { text, format } = scanned
        return take({ text, format: table ? 'qr_code' : formatOf(text, format) })
      }
    }
    // The guest may have allowed it in the settings meanwhile.
    if (denied.current) denied.current = (await cameraPermission()) === 'denied'
    if (denied.current) leaveToTyping(denial())
    else await scanner.current?.start()
  }

  const { phase, preparing } = state
  const typing = paths.barcodeManual(venue.id)
  // A button that can do nothing is not what the page is for; on the page of a table typing or the phone's own camera is.
  const isLast = trouble !== null || (table && lacking)
  const camera =
    phase === 'idle' || phase === 'ended' || (phase === 'paused' && !result) ? (
      // Without scripts there is no camera, and no button of it: typing is the main way then.
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!asking) void start()
        }}
      >
        {hydrated ? (
          <Button quiet={isLast} busy={asking}>
            {t(isLast ? 'app.retry' : 'scan.start')}
          </Button>
        ) : null}
      </form>
    ) : null
  return (
    <div
      className="scanner"
      data-phase={phase}
      data-table={table || undefined}
      data-trouble={trouble ?? undefined}
    >
      <h1>{t(table ? 'scan.table' : 'scan.title')}</h1>
      <Viewfinder
        video={video}
        still={still}
        state={state}
        onToggle={(what) => void scanner.current?.toggle(what)}
        onNext={() => void scanner.current?.nextCamera()}
      />
      {trouble ? null : (
        // Before hydration no script asks for the camera.
        <p role="status" data-idle={hydrated || table ? undefined : ''}>
          {preparing
            ? t('scan.preparing', { size: wasm.kilobytes })
            : table && phase === 'idle'
              ? !hydrated
                ? t('bill.rescanHow')
                : lacking
                  ? `${t('camera.missing')} ${t('bill.rescanHow')}`
                  : t('scan.tableIdle')
              : t(phase === 'live' && fridge ? 'scan.goods' : `scan.${phase}`)}
        </p>
      )}
      {/* Without scripts no guest waits for a camera that will not come. */}
      {hydrated || table ? null : (
        <noscript>
          <p>
            {t('scan.noScripts')} {t('camera.type')}
          </p>
        </noscript>
      )}
      {trouble ? (
        <div className="note" role="alert">
          <p>
            <b>{t(`camera.${trouble}`)}</b>
          </p>
          <p>{t('bill.rescanHow')}</p>
        </div>
      ) : null}
      {trouble ? null : camera}
      {table ? (
        typed ? (
          <TableNumber
            venueId={venue.id}
            back={paths.barcodeScanner(venue.id, { table: 1 })}
            to={paths.bill(venue.id)}
            main={isLast || !hydrated}
          />
        ) : null
      ) : (
        <a className="button" data-quiet={hydrated ? '' : undefined} href={typing}>
          {t('barcode.type')}
        </a>
      )}
      {trouble ? camera : null}
      {/* The cart of an open fridge is the list at its door. */}
      <Link className="link" to={fridge && !table ? paths.fridge(venue.id) : paths.menu(venue.id)}>
        {t(fridge && !table ? 'barcode.toFridge' : 'cart.toMenu')}
      </Link>
      {result ? (
        <Result
          result={result}
          venue={venue}
          onAgain={(code) => void lookUp(code)}
          onClose={goOn}
          table={table}
        />
      ) : null}
    </div>
  )
}

/** What the page around ours does not allow can't be switched on in the settings. */
const denial = (): CameraTrouble => (isFramedOff() ? 'framed' : 'refused')

/** What the server says of a code. Null of anything is the network (BC-03). */
async function goodOf(venueId: number, code: string): Promise<ScanResult> {
  try {
    const answer = await fetchPage(paths.barcodeManual(venueId, { code }))
    if (answer.kind !== 'page' || answer.data.page.route !== 'barcodeManual') return { kind: 'unknown', code }
    const { outcome, product } = answer.data.page.data
    if (outcome === 'found' && product) return { kind: 'found', code, product }
    return { kind: outcome === 'notFound' ? 'notFound' : outcome === 'unknown' ? 'unknown' : 'wrong', code }
  } catch {
    return { kind: 'unknown', code }
  }
}

function isLoadedHere(): boolean {
  const [loaded] = performance.getEntriesByType('navigation')
  return !loaded || new URL(loaded.name).pathname === location.pathname
}
