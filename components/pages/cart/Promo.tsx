import { useCartMutation } from '../../lib/cart/cart.tsx'
import { formatDay, formatMoney, formatPercent } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartPage, CodeTerms, MoneyFormat, PromoCode } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith, Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Row } from './Row.tsx'

const CODE_LENGTH = 40

type Props = {
  data: CartPage
  money: MoneyFormat
  /** The form that comes along, as with a line; Enter in the field of the code says so to the server. */
  form: string | undefined
}

/** A promo code: hidden behind its question until it is wanted, then with what became of it (CT-13). */
export function Promo({ data, money, form }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useCartMutation({ beside: ['code'] })
  const { promo, offers } = data
  const along = alongWith(form, actions.setPromo())
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const applied = promo?.state === 'applied'
  const error = errorOf(t, errors, 'code') ?? (promo && !applied ? reason(t, promo, money) : undefined)
  const termsOf = (terms: CodeTerms) => inWords(t, terms, money, data.venue?.utcOffset ?? 0)
  // A code that counts for nothing is mended where it stands, or emptied there.
  const isHeld = promo && promo.state !== 'unknown' && promo.state !== 'expired'
  const remove = isHeld ? (
    <form method="post" action={actions.setPromo()} onSubmit={mutation.submit}>
      <Hidden fields={{ back: paths.cart() }} />
      <button
        type="submit"
        name="remove"
        value="1"
        className="link"
        aria-label={t('promo.remove', { code: promo.code })}
        {...along}
      >
        {t('promo.drop')}
      </button>
    </form>
  ) : null
  if (promo && applied) {
    return (
      <section id="promo" className="card promo" aria-label={t('promo.label')}>
        <p>
          <b>{promo.code}</b>
          <span className="good" role="status">
            {t('promo.applied', { sum: formatMoney(promo.discount, money) })}
          </span>
          <Terms>{termsOf(promo.terms)}</Terms>
        </p>
        {remove}
      </section>
    )
  }
  return (
    <Row id={error ? undefined : 'promo'} className="promo" name={t('promo.open')} open={error !== undefined}>
      <form method="post" action={actions.setPromo()} onSubmit={mutation.submit}>
        <Hidden fields={{ back: paths.cart() }} />
        {/* What is wrong with the code is read out when it is told. */}
        <div aria-live="polite">
          <Field
            name="code"
            // Without scripts the page comes back at this part: the field that is wrong takes the focus.
            id={error ? 'promo' : undefined}
            label={t('promo.label')}
            error={error}
            value={flash?.values.code?.[0] ?? promo?.code ?? ''}
            maxLength={CODE_LENGTH}
            form={form}
          />
        </div>
        <Button quiet busy={mutation.status === 'sending'} along={along}>
          {t('promo.apply')}
        </Button>
      </form>
      {remove}
      {offers.length > 0 ? (
        <form method="post" action={actions.setPromo()} onSubmit={mutation.submit}>
          <Hidden fields={{ back: paths.cart() }} />
          <p className="soft">{t('promo.offers')}</p>
          <p className="offers">
            {offers.map((offer) => (
              <button
                key={offer.code}
                type="submit"
                className="chip"
                name="offer"
                value={offer.code}
                {...along}
              >
                {offer.name}
                <Terms>{termsOf(offer.terms)}</Terms>
              </button>
            ))}
          </p>
        </form>
      ) : null}
    </Row>
  )
}

/** Why a code counts for nothing. */
function reason(t: Text, { state, terms }: PromoCode, money: MoneyFormat): string {
  return state === 'small' && terms.from !== null
    ? t('promo.smallFrom', { sum: formatMoney(terms.from, money) })
    : t(`promo.${state}`)
}

/** What a gift or coupon takes off, from which sum of dishes on, and until when; nothing where the upstream tells none of it. */
function inWords(t: Text, of: CodeTerms, money: MoneyFormat, utcOffset: number): string | null {
  const { percent, off, from, until } = of
  const gain = percent ? formatPercent(percent) : off && formatMoney(off, money)
  const terms = [
    gain && t('promo.applied', { sum: gain }),
    from !== null && t('promo.from', { sum: formatMoney(from, money) }),
    until !== null && t('promo.until', { date: formatDay(until, utcOffset, t.lang) }),
  ].filter(Boolean)
  return terms.join(' · ') || null
}

const Terms = ({ children }: { children: string | null }) =>
  children ? <small className="soft">{children}</small> : null
