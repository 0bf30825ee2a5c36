import type { Product, Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { paths } from '../../paths.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import '../../ui/close.css'

/** What came of a code. */
export type ScanResult =
  | { kind: 'looking' | 'notFound' | 'unknown' | 'wrong'; code: string }
  | { kind: 'found'; code: string; product: Product }
  /** A QR code that is not ours. */
  | { kind: 'foreign' }

type Props = {
  result: ScanResult
  venue: Venue
  onAgain: (code: string) => void
  onClose: () => void
  table: boolean
}

/** Over the camera, which is released meanwhile; closing it looks on. */
export function Result({ result, venue, onAgain, onClose, table }: Props) {
  const t = useText()
  const code = result.kind === 'foreign' ? '' : result.code
  return (
    <Sheet
      labelledBy="scanned"
      asks
      onClose={onClose}
      close={<button type="button" className="close" aria-label={t('app.close')} onClick={onClose} />}
    >
      <div className="scanned">
        <h2 id="scanned" tabIndex={-1} data-focus="" aria-live="polite">
          {result.kind === 'foreign'
            ? t('scan.foreign')
            : result.kind === 'looking'
              ? t('scan.looking')
              : t(`barcode.${result.kind}`)}
        </h2>
        {code ? <p className="soft num">{code}</p> : null}
        {result.kind === 'found' ? (
          <ul className="dishes">
            <DishRow
              product={result.product}
              venue={venue}
              photo
              eager
              back={paths.barcodeScanner(venue.id)}
            />
          </ul>
        ) : null}
        {result.kind === 'foreign' ? <p>{t('scan.foreignText')}</p> : null}
        {result.kind === 'notFound' || result.kind === 'unknown' || result.kind === 'wrong' ? (
          <p>{t(`barcode.${result.kind}Text`)}</p>
        ) : null}
        {result.kind === 'unknown' ? (
          <button type="button" className="button" onClick={() => onAgain(code)}>
            {t('app.retry')}
          </button>
        ) : null}
        {result.kind === 'looking' ? null : (
          <button
            type="button"
            className="button"
            data-quiet={result.kind === 'unknown' || undefined}
            onClick={onClose}
          >
            {t('scan.next')}
          </button>
        )}
        {result.kind === 'notFound' ? (
          <a className="link" href={paths.menuSearch(venue.id)}>
            {t('barcode.byName')}
          </a>
        ) : null}
        {table || result.kind === 'found' || result.kind === 'looking' ? null : (
          <a className="link" href={paths.barcodeManual(venue.id)}>
            {t('barcode.type')}
          </a>
        )}
      </div>
    </Sheet>
  )
}
