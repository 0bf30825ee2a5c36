import { useCart, useCartMutation } from '../lib/cart/cart.tsx'
import type { Failure } from '../lib/mutations/mutations.ts'
import { useNews } from '../lib/mutations/use-mutation.ts'
import { useShell } from '../lib/page/shell.ts'
import type { Notice } from '../lib/page-data.ts'
import { errorText, noticeText } from '../lib/text/errors.ts'
import { useText } from '../lib/text/text.tsx'
import { actions } from '../paths.ts'
import { Hidden } from '../ui/Hidden.tsx'
import { OnTop } from '../ui/OnTop.tsx'
import { Toast } from '../ui/Toast.tsx'
import { first, STAYS, UNDOABLE } from './Flash.tsx'

/** The stepper itself tells these. */
const SEEN_ALREADY: readonly Notice[] = ['changed']

/** What came of a change that was made without a load, above any sheet that is open. */
export function ClientNews() {
  return (
    <OnTop>
      <News />
    </OnTop>
  )
}

/** A word that goes by itself, or what failed and stays. */
function News() {
  const t = useText()
  const { cart, pending } = useCart()
  const { failure, unreported, flash, dismiss } = useNews()
  const mutation = useCartMutation({ mute: true })
  const { url } = useShell()
  // Forms tell beside themselves what they have a place for, while they stand there.
  const reported = [...unreported.flatMap((one) => one.errors), ...(failure?.unplaced ?? [])]
  // Of the age the question itself tells, over a menu or as the next page.
  const errors = reported.filter(({ code }) => code !== 'age')
  if (errors.length > 0) {
    const texts = new Set(errors.map((error) => errorText(t, error)))
    // Once all that is under way is answered: what is refused after it would be lost.
    const replaceable = pending ? [] : unreported.filter(isOtherVenue)
    const asks = replaceable.length > 0
    const replace = () => {
      dismiss()
      for (const { action, fields } of replaceable) void mutation.send(action, { ...fields, replace: '1' })
    }
    return (
      <div className="toast" data-stays role="alert">
        {[...texts].map((text) => (
          <p key={text}>{text}</p>
        ))}
        <button type="button" onClick={dismiss}>
          {t(asks ? 'dish.keep' : 'app.close')}
        </button>
        {asks ? (
          <button type="button" onClick={replace}>
            {t('dish.replace')}
          </button>
        ) : null}
      </div>
    )
  }
  if (!flash || flash.errors.length > 0 || SEEN_ALREADY.includes(flash.kind)) return null
  const text = noticeText(t, flash, first(flash.values))
  if (text && UNDOABLE.includes(flash.kind)) {
    return (
      <form
        key={cart?.version}
        className="toast"
        data-undo=""
        method="post"
        action={actions.undo()}
        onSubmit={mutation.submit}
      >
        <Hidden fields={{ back: url }} />
        <span role="status">{text}</span>
        <button type="submit">{t('cart.undo')}</button>
      </form>
    )
  }
  if (!text) return null
  return STAYS.includes(flash.kind) ? (
    <div className="toast" data-stays role="status">
      <p>{text}</p>
      <button type="button" onClick={dismiss}>
        {t('app.close')}
      </button>
    </div>
  ) : (
    <Toast key={cart?.version}>{text}</Toast>
  )
}

function isOtherVenue({ errors }: Failure): boolean {
  return errors.some(({ code }) => code === 'otherVenue')
}
