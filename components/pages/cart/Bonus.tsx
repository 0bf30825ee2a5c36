import { useContext } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartBonus, MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { OverlaysContext } from '../overlays.ts'
import { ORDER_FORM } from './Checkout.tsx'

type Props = { bonus: CartBonus; money: MoneyFormat }

/** Bonuses that pay a part of the goods. Where they can't, it says why instead of showing a dead control (CT-08). */
export function Bonus({ bonus, money }: Props) {
  const t = useText()
  const { kiosk } = useShell()
  const hydrated = useHydrated()
  const isOut = bonus.state === 'signIn'
  const spending = useContext(OverlaysContext).modules.bonus
  // No guest of a tablet signs in.
  if (isOut && kiosk) return null
  return (
    <section className="card bonus" data-beside={isOut || undefined} aria-labelledby="bonus">
      <h2 id="bonus">{t('bonus.title')}</h2>
      {bonus.state !== 'ready' ? (
        <p className="soft">{t(`bonus.${bonus.state}`)}</p>
      ) : spending ? (
        <spending.Overlay bonus={bonus} money={money} />
      ) : null}
      {isOut ? (
        <>
          {/* Enter in a field of the order presses the first button of its form: that is to order, not to sign in. */}
          {hydrated ? null : (
            <button type="submit" form={ORDER_FORM} className="vh" tabIndex={-1} aria-hidden="true" />
          )}
          <form method="post" action={actions.signIn()}>
            <Hidden fields={{ back: paths.cart() }} />
            {/* Without scripts what was typed at the order comes along. */}
            <button
              type="submit"
              className="link"
              {...(hydrated ? {} : { form: ORDER_FORM, formAction: actions.signIn() })}
            >
              {t('bonus.enter')}
            </button>
          </form>
        </>
      ) : null}
    </section>
  )
}
