import { formatDistance } from '../../lib/format/format.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import type { OrderCourier, OrderDelivery } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { doorOf } from '../../parts/address/door.ts'
import { Icon } from '../../ui/Icon.tsx'
import { CourierMap } from './CourierMap.tsx'

/** A number stays on one line. */
const NBSP = '\u00a0'
/** Below this distance in metres none is told: the courier looks for the door. */
const CLOSE = 50

/** Where the order is brought to, and by whom. When, the status says. */
export function Delivery({ delivery }: { delivery: OrderDelivery }) {
  const t = useText()
  const { address, comment, courier, waiting, to, credit } = delivery
  const door = doorOf(t, delivery)
  return (
    <section className="card brings" aria-labelledby="brings">
      <h2 id="brings">{t('care.delivery')}</h2>
      <p>
        {address}
        {door ? <span className="soft">{door}</span> : null}
        {comment ? <span className="soft">{t('cart.note', { note: comment })}</span> : null}
      </p>
      {courier ? <Who courier={courier} /> : waiting ? <p className="soft">{t('care.waiting')}</p> : null}
      {courier?.at ? <CourierMap at={courier.at} to={to} credit={credit} /> : null}
    </section>
  )
}

function Who({ courier }: { courier: OrderCourier }) {
  const t = useText()
  const { name, phone, transport, distance } = courier
  const known = transport === 'car' || transport === 'foot'
  return (
    <div className="courier">
      <Icon name={transport === 'foot' ? 'footprints' : 'car'} />
      <p>
        <b>{name || t('care.courier')}</b>
        {known ? <span className="soft">{t(`care.${transport}`)}</span> : null}
        {distance === null ? null : (
          <span className="num">
            {distance < CLOSE
              ? t('care.near')
              : t('care.distance', { distance: formatDistance(distance, t) })}
          </span>
        )}
      </p>
      {phone ? (
        <a className="button" data-quiet="" href={phone.href}>
          <Icon name="phone" /> {t('care.call', { phone: formatPhone(phone.text).replaceAll(' ', NBSP) })}
        </a>
      ) : null}
    </div>
  )
}
