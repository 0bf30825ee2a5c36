import type { Product, Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { paths } from '../../paths.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import '../../ui/close.css'

/** What came of a code. */
export type Told =
  | { kind: 'looking' | 'notFound' | 'unknown' | 'wrong'; code: string }
  | { kind: 'found'; code: string; product: Product }
  /** A QR code that is not ours. */
  | { kind: 'stranger' }

type Props = {
  told: Told
  venue: Venue
  onAgain: (code: string) => void
  onClose: () => void
  table: boolean
}

/** Over the camera, which is released meanwhile; closing it looks on. */
export function Result({ told, venue, onAgain, onClose, table }: Props) {
  const t = useText()
  const code = told.kind === 'stranger' ? '' : told.code
  return (
    <Sheet
      labelledBy="scanned"
      asks
      onClose={onClose}
      close={<button type="button" className="close" aria-label={t('app.close')} onClick={onClose} />}
    >
      <div className="scanned">
        <h2 id="scanned" tabIndex={-1} data-focus="" aria-live="polite">
          {told.kind === 'stranger'
            ? t('scan.stranger')
            : told.kind === 'looking'
              ? t('scan.looking')
              : t(`barcode.${told.kind}`)}
        </h2>
        {code ? <p className="soft num">{code}</p> : null}
        {told.kind === 'found' ? (
          <ul className="dishes">
            <DishRow product={told.product} venue={venue} photo eager back={paths.barcodeScanner(venue.id)} />
          </ul>
        ) : null}
        {told.kind === 'stranger' ? <p>{t('scan.strangerText')}</p> : null}
        {told.kind === 'notFound' || told.kind === 'unknown' ? <p>{t(`barcode.${told.kind}Text`)}</p> : null}
        {told.kind === 'unknown' ? (
          <button type="button" className="button" onClick={() => onAgain(code)}>
            {t('app.retry')}
          </button>
        ) : null}
        {told.kind === 'looking' ? null : (
          <button
            type="button"
            className="button"
            data-quiet={told.kind === 'unknown' || undefined}
            onClick={onClose}
          >
            {t('scan.next')}
          </button>
        )}
        {table || told.kind === 'found' || told.kind === 'looking' ? null : (
          <a className="link" href={paths.barcodeManual(venue.id)}>
            {t('barcode.type')}
          </a>
        )}
      </div>
    </Sheet>
  )
}
