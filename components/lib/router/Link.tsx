import { type ComponentProps, type MouseEvent, useContext } from 'react'
import type { Move } from './navigation.ts'
import { NavigationContext } from './use-navigation.ts'

type Props = Omit<ComponentProps<'a'>, 'href'> & Move & { to: string }

/** A link within the app. Without scripts, in another tab and to other sites it is a link as any other. */
export function Link({ to, replace, preventScrollReset, state, onClick, ...rest }: Props) {
  const navigation = useContext(NavigationContext)

  function press(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (!navigation || event.defaultPrevented || !isPlain(event) || !isOwn(to)) return
    if (rest.target && rest.target !== '_self') return
    event.preventDefault()
    void navigation.navigate(to, { replace, preventScrollReset, state })
  }

  return <a {...rest} href={to} onClick={press} />
}

type Press = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

/** A press that opens a link where it stands, not in a tab or window of its own. */
export const isPlain = (event: Press): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

const isOwn = (to: string): boolean => /^(\/(?![/\\])|[?#])/.test(to)
