import { useNews } from '../lib/mutations/use-mutation.ts'
import { useShell } from '../lib/page/shell.ts'
import type { Flash as FlashData, Notice } from '../lib/page-data.ts'
import { errorText, isBesideField, noticeText } from '../lib/text/errors.ts'
import { useText } from '../lib/text/text.tsx'
import { actions } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Toast } from '../ui/Toast.tsx'

/** What these took away can be brought back (FL-06). */
export const UNDOABLE: readonly Notice[] = ['removed', 'cartCleared', 'branchChanged']
/** These tell of something that the guest did not ask for: they stay. */
export const STAYS: readonly Notice[] = [
  'repeatedPartly',
  'repeatedNothing',
  'lineGone',
  'tableUnknown',
  'tableElsewhere',
]

/** `beside`: the fields whose errors the page says itself. */
type Props = { flash: FlashData; beside: readonly string[] }

/** What the last form post left: a confirmation that goes by itself, or errors that stay on top of the page. */
export function Flash({ flash, beside }: Props) {
  const t = useText()
  const { url } = useShell()
  const { flash: newer } = useNews()
  const values = first(flash.values)
  if (flash.errors.length === 0) {
    const text = noticeText(t, flash, values)
    if (!text) return null
    const undo = UNDOABLE.includes(flash.kind)
    return undo || STAYS.includes(flash.kind) ? (
      <div className="notes" role="status">
        <p className="note">{text}</p>
        {undo ? (
          <form
            method="post"
            action={actions.undo()}
            // One way back at a time: what has left since is brought back first. Nothing moves by that.
            style={
              newer && !values.venue && UNDOABLE.includes(newer.kind) ? { visibility: 'hidden' } : undefined
            }
          >
            <Hidden fields={{ venue: values.venue ?? '', back: url }} />
            {/* Beside what was just removed it is called otherwise. */}
            <Button quiet>{t(values.venue ? 'cart.undoCart' : 'cart.undo')}</Button>
          </form>
        ) : null}
      </div>
    ) : (
      <Toast>{text}</Toast>
    )
  }
  // The page that follows is the question, or tells it beside the lock.
  if (flash.errors[0]?.code === 'age' || flash.errors[0]?.field === 'lock') return null
  const errors = flash.errors.filter(({ field }) => !beside.includes(field))
  if (errors.length === 0) return null
  const general = errors.filter((error) => !isBesideField(error))
  const texts = general.length > 0 ? general.map((error) => errorText(t, error)) : [t('flash.formErrors')]
  const replaceable = general.some((error) => error.code === 'otherVenue')
  return (
    <div className="notes" role="alert">
      {texts.map((text) => (
        <p key={text} className="note" data-bad>
          {text}
        </p>
      ))}
      {replaceable ? (
        <form method="post" action={values.order ? actions.repeatOrder() : actions.addLine()}>
          <Hidden fields={{ ...values, replace: 1, back: url }} />
          {/* Two ways, none of them louder, the one that loses nothing first. */}
          <a className="button" data-quiet href={url}>
            {t('dish.keep')}
          </a>
          <Button quiet>{t('dish.replace')}</Button>
        </form>
      ) : null}
    </div>
  )
}

export function first(values: FlashData['values']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all[0] ?? '']))
}
