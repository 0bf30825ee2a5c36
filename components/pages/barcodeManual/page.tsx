import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { about } from '../../lib/page/title.ts'
import type { BarcodeManualPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate, useWay } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { useDishLinks } from '../../parts/dish/dish-links.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import './barcode.css'

export const title: PageTitle<'barcodeManual'> = ({ venue }, t) =>
  about(venue.name, t('head.barcodeManual.title'))

export const frame: PageFrame<'barcodeManual'> = {
  back: ({ venue, fridge }) => (fridge ? paths.fridge(venue.id) : paths.menu(venue.id)),
  bar: true,
  venue: ({ venue }) => venue,
}

/** As much as the server reads. */
const LONGEST = 40

type Props = { data: BarcodeManualPage }

/** A barcode, typed: the way that always works. What led to nothing stays in the field. */
export function Page({ data }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const { coming } = useWay()
  useDishLinks()
  const { venue, code, outcome, product, camera } = data
  const form = useRef<HTMLFormElement>(null)
  const pressed = useRef(false)
  const [typed, setTyped] = useState<string | null>(null)
  const count = (typed ?? code).replace(/\D/g, '').length
  // What is being changed is not wrong yet.
  const isShown = typed === null || typed === code

  // The answer is a page: the field that it finds wrong takes the focus from the button, which is the browser's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (pressed.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    pressed.current = false
  }, [data])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    setTyped(null)
    pressed.current = true
    // Nothing typed is an answer of its own.
    navigate(code ? paths.barcodeManual(venue.id, { code }) : `${paths.barcodeManual(venue.id)}?code=`, {
      replace: true,
      preventScrollReset: true,
    })
  }

  return (
    <div className="barcode">
      <h1>{t('barcode.title')}</h1>
      {camera ? (
        <div className="note" role="status">
          <p>
            <b>{t(`camera.${camera}`)}</b>
          </p>
          <p>{t('camera.type')}</p>
        </div>
      ) : null}
      <form ref={form} method="get" action={paths.barcodeManual(venue.id)} onSubmit={submit}>
        <Field
          name="code"
          label={t('barcode.label')}
          hint={t('barcode.hint', { count })}
          value={code}
          maxLength={LONGEST}
          keys="numeric"
          autoFocus={outcome !== null && outcome !== 'found'}
          error={
            isShown && isMistyped(outcome)
              ? t(outcome === 'empty' ? 'errors.required' : `barcode.${outcome}`)
              : undefined
          }
          onInput={setTyped}
        />
        <Button busy={coming !== null}>{t('barcode.find')}</Button>
      </form>
      <div role="status">
        {!isShown || outcome === null || isMistyped(outcome) ? null : <h2>{t(`barcode.${outcome}`)}</h2>}
        {isShown && (outcome === 'notFound' || outcome === 'unknown' || outcome === 'wrong') ? (
          <p>{t(`barcode.${outcome}Text`)}</p>
        ) : null}
      </div>
      {product && isShown ? (
        <ul className="dishes">
          <DishRow
            product={product}
            venue={venue}
            photo
            eager
            back={paths.barcodeManual(venue.id, { code })}
          />
        </ul>
      ) : null}
      <p className="barcode-ways">
        {/* A page of its own: only its document may use the camera. */}
        <a className="button" data-quiet href={paths.barcodeScanner(venue.id)}>
          {t('barcode.scan')}
        </a>
        {isShown && outcome === 'notFound' ? (
          <Link className="link" to={paths.menuSearch(venue.id)}>
            {t('barcode.byName')}
          </Link>
        ) : null}
        <Link className="link" to={data.fridge ? paths.fridge(venue.id) : paths.menu(venue.id)}>
          {t(data.fridge ? 'barcode.toFridge' : 'cart.toMenu')}
        </Link>
      </p>
    </div>
  )
}

/** Told beside the field. */
function isMistyped(outcome: BarcodeManualPage['outcome']): outcome is 'wrong' | 'incomplete' | 'empty' {
  return outcome === 'wrong' || outcome === 'incomplete' || outcome === 'empty'
}
