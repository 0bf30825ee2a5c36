import type { ReactNode } from 'react'

type Props = {
  name: string
  /** What stands in it, or that it may stay empty. */
  value?: string
  /** Something in it is wrong. */
  open?: boolean
  /** An address may name it. */
  id?: string | undefined
  className?: string
  children: ReactNode
}

/** What few guests need, behind one line that opens. */
export function Row({ name, value, open, id, className, children }: Props) {
  return (
    <details id={id} className={className ? `card row ${className}` : 'card row'} open={open || undefined}>
      <summary>
        <span>{name}</span>
        {value ? <span className="soft">{value}</span> : null}
      </summary>
      {children}
    </details>
  )
}
