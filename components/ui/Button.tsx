import type { ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** An address may name it. */
  id?: string
  name?: string
  value?: string
  /** Not the one action of the page. */
  quiet?: boolean
  /** What it asked for is on its way. A second press does nothing. */
  busy?: boolean
  /** Does nothing now; `describedBy` names the element that says why. */
  off?: boolean
  describedBy?: string | undefined
  /** Sends another form than that. */
  along?: Along | undefined
}

/** What makes a button one of another form, and leads that to this action. */
export type Along = { form: string; formAction: string }

/** For a button of that form, where there is one, with this action. */
export const alongWith = (form: string | undefined, formAction: string): Along | undefined =>
  form === undefined ? undefined : { form, formAction }

/** Sends the form that it stands in. */
export function Button({ children, id, name, value, quiet, busy, off, describedBy, along }: Props) {
  return (
    <button
      type="submit"
      className="button"
      id={id}
      name={name}
      value={value}
      data-quiet={quiet || undefined}
      aria-busy={busy || undefined}
      aria-disabled={off || undefined}
      aria-describedby={describedBy}
      {...along}
      onClick={(event) => {
        if (busy || off) event.preventDefault()
      }}
    >
      {children}
    </button>
  )
}
