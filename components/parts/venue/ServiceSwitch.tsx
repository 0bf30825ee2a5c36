import { useEffect, useRef, useState } from 'react'
import { track } from '../../lib/browser/events.ts'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { useShell } from '../../lib/page/shell.ts'
import type { Service } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { alongWith } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './service-switch.css'

/** A second tap within this time wins (SV-05). */
const SELECT_DELAY = 300

type Props = {
  services: Service[]
  /** Where each choice leads; the page itself when it is the same for all. */
  back?: (service: Service) => string
  /** The one in force, where it is not the visit's choice. */
  current?: Service | undefined
  /** The form that comes along with what is typed there, where scripts do not run. */
  form?: string | undefined
}

/** Express, takeaway, delivery: shown when there is a choice (SV-04). */
export function ServiceSwitch({ services: all, back, current, form }: Props) {
  const t = useText()
  const shell = useShell()
  const services = all.filter((one) => shell.services.includes(one))
  const chosen = current ?? shell.service
  const { send } = useCartMutation()
  const [picked, setPicked] = useState<Service | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What a page or a tap has made of it last; unknown after a failure. And how many taps are on their way. */
  const last = useRef<Service | null>(chosen)
  const sending = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page says anew what is in force
  useEffect(() => {
    if (sending.current === 0) last.current = chosen
  }, [shell, chosen])
  // A timer must not outlive the page that it was set on.
  useEffect(() => () => clearTimeout(timer.current), [])
  if (services.length < 2) return null

  const backOf = (service: Service) => back?.(service) ?? shell.url

  function pick(service: Service): void {
    clearTimeout(timer.current)
    setPicked(service)
    timer.current = setTimeout(async () => {
      const from = last.current ?? chosen
      if (service !== last.current) {
        last.current = service
        sending.current += 1
        const done = await send(actions.setService(), { service, back: backOf(service) })
        sending.current -= 1
        if (done) track({ name: 'serviceChanged', from, to: service })
        else if (last.current === service) last.current = null
      }
      // A later tap stays shown.
      if (sending.current === 0) setPicked((now) => (now === service ? null : now))
    }, SELECT_DELAY)
  }

  return (
    <ul className="switch" aria-label={t('service.label')}>
      {services.map((service) => (
        <li key={service}>
          <form
            method="post"
            action={actions.setService()}
            onSubmit={(event) => {
              event.preventDefault()
              pick(service)
            }}
          >
            <Hidden fields={{ back: backOf(service) }} />
            <button
              type="submit"
              name="service"
              value={service}
              aria-pressed={service === (picked ?? chosen)}
              {...alongWith(form, actions.setService())}
            >
              {t(`service.${service}`)}
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}
