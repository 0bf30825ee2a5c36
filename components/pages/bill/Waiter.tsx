import { useRef } from 'react'
import { useSecondsLeft } from '../../lib/browser/seconds-left.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { BillPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths, withQuery } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'

type Props = { bill: BillPage; asked?: boolean }

/** Calls the waiter on a second press, and says when that can be done again (PY-08). */
export function Waiter({ bill, asked = false }: Props) {
  const t = useText()
  const mutation = useMutation()
  const seconds = useSecondsLeft(bill.waiterIn, bill.readAt)
  const pressed = useRef(false)
  const { href, venueId } = bill
  // Back to the bill, or to the menu where the table has no bill.
  const leave = (words: string) =>
    bill.state === 'notFound' && venueId !== null ? (
      <Link className="button" data-quiet to={paths.menu(venueId)}>
        {t('cart.toMenu')}
      </Link>
    ) : (
      <Link className="button" data-quiet to={href} replace>
        {words}
      </Link>
    )
  if (seconds > 0) {
    return (
      <section className="card called">
        <p
          role="status"
          tabIndex={-1}
          ref={(said) => {
            // The pressed button is gone: the words take its focus. A call of another guest does not.
            if (pressed.current) said?.focus()
            pressed.current = false
          }}
        >
          <Icon name="circle-check" /> {t('bill.called')}
        </p>
        <p className="soft">{t('bill.callAgain', { count: seconds })}</p>
        {asked ? leave(t('bill.toBill')) : null}
      </section>
    )
  }
  if (!asked) {
    return (
      <Link className="button" data-quiet to={withQuery(href, { step: 'waiter' })} preventScrollReset>
        {t('bill.call')}
      </Link>
    )
  }
  return (
    <section className="card called" aria-labelledby="call">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to; the attribute is a document's, a page of the app focuses it itself */}
      <h2 id="call" tabIndex={-1} autoFocus ref={focus}>
        {t('bill.callAsk')}
      </h2>
      <form
        method="post"
        action={actions.callWaiter(href)}
        onSubmit={(event) => {
          pressed.current = true
          mutation.submit(event)
        }}
      >
        <Hidden fields={{ bill: bill.bill }} />
        <Button busy={mutation.status === 'sending'}>{t('bill.callSure')}</Button>
      </form>
      {leave(t('bill.callNot'))}
    </section>
  )
}

/** Brings what was pressed for far below into view. */
function focus(element: HTMLElement | null): void {
  element?.focus()
}
