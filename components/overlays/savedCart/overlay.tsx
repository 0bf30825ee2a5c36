import { type FormEvent, useState } from 'react'
import { useTopSheet } from '../../lib/browser/layers.ts'
import { useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { useNews } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { SavedHere } from '../../lib/page-data.ts'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { OnTop } from '../../ui/OnTop.tsx'

type Props = { saved: SavedHere; venueId: number }

type Known = { saved: SavedHere; version: number | null | undefined }

/**
 * Tells of the guest's cart of this venue that waits aside, with the way to bring it back. A dish that is added brings it
 * back, too: then the same line says so, where it stood, and a message where the dish was pressed.
 */
export function Overlay({ saved, venueId }: Props) {
  const { cart } = useCart()
  const { flash } = useNews()
  const isSaid = flash?.kind === 'cartReturned'
  // As the server told it, beside the cart of then; no version where the guest has sent it back.
  const [known, setKnown] = useState<Known>({ saved, version: cart?.version })
  const [returned, setReturned] = useState(saved.returned)
  if (known.saved !== saved) {
    setKnown({ saved, version: cart?.version })
    setReturned(saved.returned)
  } else if (isSaid && !returned) setReturned(true)
  function undone(): void {
    setKnown({ saved, version: null })
    setReturned(undefined)
  }
  const isHere = cart?.venueId === venueId
  const isBack =
    (returned || (known.version !== null && known.version !== cart?.version)) &&
    saved.lines.every(({ id, qty }) => cart?.lines.some((line) => line.id === id && line.qty >= qty))
  return (
    <>
      {/* What comes back in part, or by its own button, needs no word. */}
      {isHere && isBack === Boolean(returned) ? (
        <Line saved={saved} returned={isBack} fields={isBack ? RETURNED : { venue: venueId }} />
      ) : !isHere && !returned ? (
        <Line saved={saved} fields={{ venue: venueId }} instead={cart?.venueName} />
      ) : null}
      {isSaid ? (
        <OnTop>
          <Returned key={cart?.version} name={saved.name} onUndone={undone} />
        </OnTop>
      ) : null}
    </>
  )
}

const RETURNED = { returned: 1 } as const

type LineProps = {
  saved: SavedHere
  returned?: boolean
  fields: Readonly<Record<string, number>>
  /** The venue whose cart would wait aside for it. */
  instead?: string | undefined
}

/** One form with scripts and without: with a cart its table may come back, so the page is made anew. */
function Line({ saved: { name }, returned, fields, instead }: LineProps) {
  const t = useText()
  const { url } = useShell()
  return (
    <div className="notes" role="status">
      <p className="note">
        {t(returned ? 'savedCart.returned' : 'savedCart.waits', { name })}
        {instead ? ` ${t('savedCart.instead', { venue: instead })}` : null}
      </p>
      <form method="post" action={actions.undo()}>
        <Hidden fields={{ ...fields, back: url }} />
        <Button quiet>{t(returned ? 'savedCart.onlyNew' : 'savedCart.bringBack')}</Button>
      </form>
    </div>
  )
}

/** The same at the lower edge, above any sheet: the line may be far away. */
function Returned({ name, onUndone }: { name: string; onUndone: () => void }) {
  const t = useText()
  const { url } = useShell()
  const mutation = useCartMutation({ mute: true })
  const revalidate = useRevalidate()
  const sheet = useTopSheet()
  async function undo(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (!(await mutation.submit(event))) return
    onUndone()
    await revalidate()
  }
  return (
    <form className="toast" data-undo="" method="post" action={actions.undo()} onSubmit={undo}>
      <Hidden fields={{ ...RETURNED, back: url }} />
      {/* Outside of a sheet the line is read out. */}
      <span role={sheet ? 'status' : undefined}>{t('savedCart.returned', { name })}</span>
      <button type="submit">{t('savedCart.onlyNew')}</button>
    </form>
  )
}
