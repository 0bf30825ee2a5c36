import { type ReactNode, type ToggleEvent, useLayoutEffect, useRef, useState } from 'react'
import { useShell } from '../../lib/page/shell.ts'
import type { DishSheet, CartLine as Line, Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { BriefLine } from '../../parts/cart/BriefLine.tsx'
import { paths } from '../../paths.ts'
import { draftOf } from './dish-draft.ts'

type Props = { lines: Line[]; dish: DishSheet; venue: Venue; children: ReactNode }

/**
 * Asks "the same or different" when a dish with choices is in the cart already: each choice has its own stepper, the
 * form for another one is a tap away (screens.md, 2.6). Where a minus could mean several lines, it is asked here too.
 */
export function InCart({ lines, dish, venue, children }: Props) {
  const t = useText()
  const { flash } = useShell()
  const [open, setOpen] = useState(flash?.values.product?.[0] === String(dish.product.id))

  // It is open already, and the guest has not asked for that.
  const unasked = useRef(open)

  // What was begun is in the browser's storage: it is shown again.
  useLayoutEffect(() => {
    if (!draftOf(venue.id, dish)) return
    unasked.current = true
    setOpen(true)
  }, [venue.id, dish])

  function unfold({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void {
    setOpen(currentTarget.open)
    // The form that was asked for begins under the edge of a small screen.
    if (currentTarget.open && !unasked.current) currentTarget.scrollIntoView({ block: 'start' })
    unasked.current = false
  }

  return (
    <>
      <section className="have" aria-labelledby="have">
        <h3 id="have">{t('dish.inCart')}</h3>
        <ul>
          {lines.map((line) => (
            <BriefLine
              key={line.id}
              line={line}
              money={venue.money}
              back={paths.menu(venue.id, { item: dish.product.id })}
            >
              {line.note ? <p className="soft">{t('cart.note', { note: line.note })}</p> : null}
            </BriefLine>
          ))}
        </ul>
      </section>
      <details className="other" open={open} onToggle={unfold}>
        <summary className="button" data-quiet="">
          {t('dish.different')}
        </summary>
        {children}
      </details>
    </>
  )
}
