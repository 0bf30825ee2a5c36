import { useCart, useMutation } from '../lib/cart.tsx'
import { useTopSheet } from '../lib/layers.ts'
import { usePage, useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions } from '../paths.ts'
import { Hidden } from '../ui/Hidden.tsx'
import { OnTop } from '../ui/OnTop.tsx'
import { Toast } from '../ui/Toast.tsx'
import { errorText } from './errors.ts'
import { first, UNDOABLE } from './Flash.tsx'

/** The stepper itself tells these. */
const SEEN_ALREADY = ['added', 'changed']

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
  const { cart, failure, flash, dismiss } = useCart()
  const mutation = useMutation()
  const { url } = useShell()
  const page = usePage()
  const sheet = useTopSheet()
  // Dishes, lines and the order tell their failures beside themselves; a menu's minus of a line has no room for it.
  const untold = failure?.lineId && page.route === 'menu' && !sheet
  if (failure && (untold || !/^\/(cart\/lines|orders)/.test(failure.action))) {
    return (
      <div className="toast" data-stays role="alert">
        {failure.errors.map((error) => (
          <p key={error.code}>{errorText(t, error)}</p>
        ))}
        <button type="button" onClick={dismiss}>
          {t('app.close')}
        </button>
      </div>
    )
  }
  if (!flash || flash.errors.length > 0 || SEEN_ALREADY.includes(flash.kind)) return null
  const text = t.maybe(`flash.${flash.kind}`, first(flash.values))
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
  return text ? <Toast key={cart?.version}>{text}</Toast> : null
}
