import { useCart, useMutation } from '../lib/cart.tsx'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions } from '../paths.ts'
import { Hidden } from '../ui/Hidden.tsx'
import { Toast } from '../ui/Toast.tsx'
import { errorText } from './errors.ts'
import { first, UNDOABLE } from './Flash.tsx'

/** The stepper itself tells these. */
const SEEN_ALREADY = ['added', 'changed']

/** What came of a change that was made without a load: a word that goes by itself, or what failed and stays. */
export function ClientNews() {
  const t = useText()
  const { cart, failure, flash, dismiss } = useCart()
  const mutation = useMutation()
  const { url } = useShell()
  // Dishes, lines and the order tell their failures beside themselves.
  if (failure && !/^\/(cart\/lines|orders)/.test(failure.action)) {
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
