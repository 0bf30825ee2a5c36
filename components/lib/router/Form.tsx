import type { ComponentProps, SubmitEvent } from 'react'
import type { Move } from './navigation.ts'
import { useNavigate } from './use-navigation.ts'

type Props = Omit<ComponentProps<'form'>, 'action' | 'method'> & Omit<Move, 'state'> & { action: string }

/** A form that asks for a page, as the browser would: its fields are the query. */
export function Form({ action, replace, preventScrollReset, onSubmit, ...rest }: Props) {
  const navigate = useNavigate()

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    onSubmit?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string') query.append(name, value)
    }
    const pressed = event.submitter
    if (pressed instanceof HTMLButtonElement && pressed.name) query.append(pressed.name, pressed.value)
    void navigate(`${action.split('?', 1)[0]}?${query}`, { replace, preventScrollReset })
  }

  return <form {...rest} method="get" action={action} onSubmit={submit} />
}
