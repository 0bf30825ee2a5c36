import type { ReactNode } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { PaymentPage, PaymentStep } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { withQuery } from '../../paths.ts'

type Props = { data: PaymentPage; id: PaymentStep; name: string; children: ReactNode }

/**
 * What few guests need, behind a press. A page without scripts looks anew by itself while it waits, which would close it: it
 * has an address of its own then, where the page stays as it is.
 */
export function Step({ data: { state, step }, id, name, children }: Props) {
  const hydrated = useHydrated()
  const { url } = useShell()
  const isOpen = step === id
  if (!hydrated && !isOpen && state === 'waiting') {
    return (
      <Link className="link" to={withQuery(url, { step: id })}>
        {name}
      </Link>
    )
  }
  return (
    <details open={isOpen}>
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to */}
      <summary autoFocus={isOpen}>{name}</summary>
      {children}
    </details>
  )
}
