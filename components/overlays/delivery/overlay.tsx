import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { CartDelivery as Delivery, DeliveryTariff, MoneyFormat, NextStep } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { doorOf } from '../../parts/address/door.ts'
import { BannerNote } from '../../parts/venue/BannerNote.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith, Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import './delivery.css'

type Props = {
  delivery: Delivery
  goods: number
  money: MoneyFormat
  /** The form that comes along, as with a line of the cart. */
  form: string | undefined
  /** Why nothing can be brought there. */
  refused: string | undefined
  /** The restaurant also hands orders out. */
  takeaway: boolean
}

/** Who brings it, for how much, and what would make it cheaper (CT-09, CT-11). */
export function Overlay({ delivery, goods, money, form, refused, takeaway }: Props) {
  const t = useText()
  // Nothing makes a delivery cheaper that cannot be ordered.
  const next = refused ? null : delivery.next
  const limits = refused ? null : limitsOf(t, delivery, money)
  const door = doorOf(t, delivery)
  return (
    <section className="card delivery" aria-labelledby="delivery">
      <h2 id="delivery">{t('delivery.title')}</h2>
      {delivery.banner ? <BannerNote banner={delivery.banner} /> : null}
      {delivery.address ? (
        <p>
          {t('delivery.to', { address: delivery.address })}
          {door ? <span className="soft door">{door}</span> : null}
          {delivery.apartment || delivery.privateHouse ? null : (
            <span className="soft door">{t('delivery.noFlat')}</span>
          )}
          {delivery.comment ? (
            <span className="soft door">{t('cart.note', { note: delivery.comment })}</span>
          ) : null}
        </p>
      ) : null}
      {refused ? (
        <p className="note" data-bad>
          {refused}
        </p>
      ) : null}
      <div className="where-to">
        {refused && takeaway ? <PickUp form={form} /> : null}
        {delivery.address && !delivery.confirmed && !refused ? (
          <Confirm mark={delivery.mark} form={form} />
        ) : null}
        <Link className="link" to={paths.addresses({ back: paths.cart() })}>
          {t(delivery.address ? 'delivery.change' : 'delivery.choose')}
        </Link>
      </div>
      {delivery.tariffs.length > 0 ? (
        <ul className="tariffs">
          {delivery.tariffs.map((tariff) => (
            <Tariff key={`${tariff.courier}${tariff.price}`} tariff={tariff} money={money} />
          ))}
        </ul>
      ) : delivery.address ? null : (
        <p className="soft">{t('delivery.noAddress')}</p>
      )}
      {limits ? <p className="soft">{limits}</p> : null}
      {next ? (
        <div className="next">
          <p id="next-step">
            <b>{nextOf(t, next, money)}</b>
          </p>
          <progress max={next.from} value={Math.min(goods, next.from)} aria-labelledby="next-step" />
        </div>
      ) : null}
      {delivery.steps.length > 0 && !refused ? (
        <details>
          <summary>{t('delivery.steps')}</summary>
          <ul>
            {delivery.steps.map((step) => (
              <li key={step.from} data-reached={step.reached || undefined}>
                {step.reached ? '✓ ' : ''}
                {t('delivery.step', {
                  from: formatMoney(step.from, money),
                  discount: formatMoney(step.discount, money),
                })}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  )
}

/** Asked once in a session for an address: the address may be that of last time (DG-05). */
function Confirm({ mark, form }: Pick<Delivery, 'mark'> & Pick<Props, 'form'>) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form method="post" action={actions.confirmAddress()} onSubmit={mutation.submit}>
      <Hidden fields={{ address: mark, back: paths.cart() }} />
      <Button quiet busy={mutation.status === 'sending'} along={alongWith(form, actions.confirmAddress())}>
        {t('delivery.right')}
      </Button>
    </form>
  )
}

/** The same dishes, fetched by the guest. */
function PickUp({ form }: Pick<Props, 'form'>) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ back: paths.cart() }} />
      <Button
        quiet
        name="service"
        value="takeaway"
        busy={mutation.status === 'sending'}
        along={alongWith(form, actions.setService())}
      >
        {t('delivery.pickUp')}
      </Button>
    </form>
  )
}

function Tariff({ tariff, money }: { tariff: DeliveryTariff; money: MoneyFormat }) {
  const t = useText()
  return (
    <li>
      {/* An unknown courier is drawn as a car, as most have one (DG-15); the word does not say so. */}
      <Icon name={tariff.courier === 'foot' ? 'footprints' : 'car'} />
      <span>
        {tariff.courier ? t(`delivery.${tariff.courier}`) : t('delivery.title')}
        {tariff.minutes || tariff.fastest ? (
          <span className="soft">
            {[
              tariff.fastest ? t('delivery.fastest') : null,
              tariff.minutes ? t('delivery.minutes', { count: tariff.minutes }) : null,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        ) : null}
      </span>
      <span className="num">
        {tariff.cost ? (
          <s>
            <span className="vh">{t('menu.oldPrice')} </span>
            <Sum of={tariff.cost} money={money} />
          </s>
        ) : null}{' '}
        <b>{tariff.price === 0 ? t('menu.free') : formatMoney(tariff.price, money)}</b>
      </span>
    </li>
  )
}

function limitsOf(t: Text, { minSum, maxSum }: Delivery, money: MoneyFormat): string | null {
  const min = minSum === null ? null : formatMoney(minSum, money)
  const max = maxSum === null ? null : formatMoney(maxSum, money)
  if (min !== null && max !== null) return t('delivery.range', { min, max })
  if (min !== null) return t('delivery.rangeFrom', { min })
  return max === null ? null : t('delivery.rangeTo', { max })
}

function nextOf(t: Text, next: NextStep, money: MoneyFormat): string {
  const missing = formatMoney(next.missing, money)
  if (next.price === 0) return t('delivery.nextFree', { missing })
  if (next.price !== null) return t('delivery.nextPrice', { missing, price: formatMoney(next.price, money) })
  return t('delivery.nextDiscount', { missing, discount: formatMoney(next.discount ?? 0, money) })
}
