import { useEffect, useRef, useState } from 'react'
import { useCart } from '../lib/cart.tsx'
import { formatMoney } from '../lib/format.ts'
import type { MoneyFormat } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'

type Props = { money: MoneyFormat }

/** Tells a screen reader the newest cart, once it is settled and at most once a second (AX-05). */
export function LiveCart({ money }: Props) {
  const t = useText()
  const { cart, pending } = useCart()
  const [text, setText] = useState('')
  const told = useRef(cart?.version ?? 0)
  const version = cart?.version ?? 0
  const words = cart
    ? t('cart.live', { count: cart.count, sum: formatMoney(cart.total, money) })
    : t('cart.empty')

  // A timer is outside of React: quick taps are told together.
  useEffect(() => {
    if (pending || version === told.current) return
    const timer = setTimeout(() => {
      told.current = version
      setText(words)
    }, 800)
    return () => clearTimeout(timer)
  }, [pending, version, words])

  return (
    <p className="vh" role="status">
      {text}
    </p>
  )
}
