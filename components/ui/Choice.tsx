import type { ChangeEvent, ReactNode } from 'react'
import './field.css'

type Props = {
  type: 'radio' | 'checkbox'
  name: string
  value: string | number
  checked: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  disabled?: boolean
  children: ReactNode
}

/** One of several: a native radio or checkbox, the whole line is its label. */
export function Choice({ type, name, value, checked, onChange, disabled, children }: Props) {
  return (
    <label className="choice">
      <input
        type={type}
        name={name}
        value={value}
        checked={checked}
        onChange={onChange}
        disabled={disabled || undefined}
      />
      {children}
    </label>
  )
}
