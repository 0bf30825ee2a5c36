import type { ReactNode } from 'react'

type Props = { name: string; value: ReactNode; num?: true }

/** A line of what is known of an order; none without a value. */
export function Fact({ name, value, num }: Props) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className={num && 'num'}>{value}</dd>
    </div>
  )
}
