import { type FormEvent, useRef } from 'react'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { useNews } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AgePage, Flash } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import '../../ui/close.css'
import './age.css'

export const title: PageTitle<'age'> = (_, t) => t('head.age.title')

export const frame: PageFrame<'age'> = { back: null }

type Props = { data: AgePage }

/**
 * The question before restricted goods. A page of its own for forms; where scripts run a menu shows it over itself
 * (see `AgeAsk`). Whatever was being added goes with the yes; a fridge is opened by another press. Closing it in any way
 * is a no.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { flash } = useShell()
  const { unreported } = useNews()
  // The question goes with its answer: what is refused is told as of any other add.
  const mutation = useCartMutation({ follow: false, mute: true })
  const busy = mutation.status === 'sending'
  const no = useRef<HTMLButtonElement>(null)
  const [waiting, ...others] = unreported.filter(({ errors }) => errors[0]?.code === 'age')
  const over = waiting !== undefined
  const asked = waiting?.fields ?? pending(flash)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    // As a page it is left by a plain post, which leads back by itself.
    if (!over) return
    event.preventDefault()
    // By Esc or its corner it can be closed while an answer is on its way.
    if (busy) return
    const answered = new FormData(event.currentTarget)
    const added = answered.has('product')
    const sent = mutation.submit(event)
    // The answer has room for one add: the others that were asked for meanwhile go behind it.
    if (answered.get('answer') === 'yes')
      for (const { action, fields } of others) void mutation.send(action, { ...fields })
    const answer = await sent
    // The sheet of a dish that has just gone into the cart has done its work.
    if (answer && added) document.getElementById('dish-name')?.closest('dialog')?.close()
  }

  return (
    <Sheet
      labelledBy="age-title"
      asks={over}
      whole={!over}
      onClose={() => no.current?.click()}
      close={
        <form method="post" action={actions.answerAge()} onSubmit={submit}>
          <Hidden fields={{ answer: 'no', back: data.back }} />
          <button type="submit" className="close" aria-label={t('app.close')} ref={no} />
        </form>
      }
    >
      <div className="age">
        <h1 id="age-title" tabIndex={-1} data-focus="">
          {t('age.title')}
        </h1>
        <p>{t('age.goods')}</p>
        <p>{t(data.fridge ? 'age.door' : 'age.check')}</p>
        <p>{t('age.kept')}</p>
        <div>
          <form method="post" action={actions.answerAge()} onSubmit={submit}>
            <Hidden fields={{ answer: 'no', back: data.back }} />
            <Button quiet busy={busy}>
              {t('age.no')}
            </Button>
          </form>
          <form method="post" action={actions.answerAge()} onSubmit={submit}>
            <Hidden fields={{ ...asked, answer: 'yes', back: data.back }} />
            <Button quiet busy={busy}>
              {t('age.yes')}
            </Button>
          </form>
        </div>
      </div>
    </Sheet>
  )
}

/** The fields of the add that asked. */
function pending(flash: Flash | null): Record<string, string> {
  if (!flash?.errors.some((error) => error.code === 'age')) return {}
  return Object.fromEntries(Object.entries(flash.values).map(([name, all]) => [name, all[0] ?? '']))
}
