import { useContext } from 'react'
import { useShell } from '../../lib/page/shell.ts'
import type { CartBonus, MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { OverlaysContext } from '../overlays.ts'

type Props = {
  bonus: CartBonus
  money: MoneyFormat
  /** The form that comes along, as with a line. */
  form: string | undefined
}

/** Bonuses that pay a part of the goods. Where they can't, it says why instead of showing a dead control (CT-08). */
export function Bonus({ bonus, money, form }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const isOut = bonus.state === 'signIn'
  const spending = useContext(OverlaysContext).modules.bonus
  // No guest of a tablet signs in.
  if (kiosk) return null
  return (
    <section className="card bonus" data-beside={isOut || undefined} aria-labelledby="bonus">
      <h2 id="bonus">{t('bonus.title')}</h2>
      {bonus.state !== 'ready' ? (
        <p className="soft">{t(`bonus.${bonus.state}`)}</p>
      ) : spending ? (
        <spending.Overlay bonus={bonus} money={money} form={form} />
      ) : null}
      {isOut ? (
        <form method="post" action={actions.signIn()}>
          <Hidden fields={{ back: paths.cart() }} />
          <button type="submit" className="link" {...(form && { form, formAction: actions.signIn() })}>
            {t('bonus.enter')}
          </button>
        </form>
      ) : null}
    </section>
  )
}
