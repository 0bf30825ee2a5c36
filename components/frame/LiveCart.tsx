import { useEffect, useRef, useState } from 'react'
import { useTopSheet } from '../lib/browser/layers.ts'
import { useCart } from '../lib/cart/cart.tsx'
import { formatMoney } from '../lib/format/format.ts'
import { useShell } from '../lib/page/shell.ts'
import type { CartView, MoneyFormat } from '../lib/page-data.ts'
import { type Text, useText } from '../lib/text/text.tsx'
import { OnTop } from '../ui/OnTop.tsx'

/** Tells a screen reader what became of the cart, once it is settled and at most once a second (AX-05). */
export function LiveCart() {
  const t = useText()
  const { money } = useShell()
  const { cart, pending } = useCart()
  const [text, setText] = useState('')
  const announced = useRef(cart)

  // A timer is outside of React: quick taps are told together.
  useEffect(() => {
    if (pending || cart?.version === announced.current?.version) return
    const timer = setTimeout(() => {
      setText(wordsOf(t, announced.current, cart, money))
      announced.current = cart
    }, 1000)
    return () => clearTimeout(timer)
  }, [pending, cart, money, t])

  // A sheet takes the line into itself: what was told already is not told again there.
  const sheet = useTopSheet()
  const [at, setAt] = useState(sheet)
  if (at !== sheet) {
    setAt(sheet)
    setText('')
  }

  return (
    <OnTop>
      <p className="vh" role="status">
        {text}
      </p>
    </OnTop>
  )
}

/** The one line that changed, else the whole cart. */
function wordsOf(t: Text, before: CartView | null, cart: CartView | null, money: MoneyFormat): string {
  if (!cart || cart.count === 0) return t('cart.empty')
  const sum = formatMoney(cart.total, cart.money ?? money)
  const changed = cart.lines.filter(
    (line) => before?.lines.find((old) => old.id === line.id)?.qty !== line.qty,
  )
  const [line] = changed
  return line && changed.length === 1
    ? t('cart.liveLine', { name: line.name, qty: line.qty, sum })
    : t('cart.live', { count: cart.count, sum })
}
