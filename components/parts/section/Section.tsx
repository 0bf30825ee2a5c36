import { Component, type ReactNode, Suspense, useContext, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { addPending } from '../../lib/page/hydration.ts'
import { SectionsContext } from '../../lib/page/sections.ts'
import { usePage } from '../../lib/page/shell.ts'
import type { Page } from '../../lib/page-data.ts'
import { PartFailure } from './Failure.tsx'

type Props = {
  /** One of a kind on its page. It stands in the log. */
  name: string
  /** Hydrated by itself: the browser can breathe before and after it. */
  apart?: boolean
  /** What stands there when it fails. */
  instead?: ReactNode
  children: ReactNode
}

/** A part of a page that fails alone: what throws in it leaves the others (SR-09). */
export function Section({ name, apart = false, instead = <PartFailure />, children }: Props) {
  const { lost, strict, enter, leave } = useContext(SectionsContext)
  const content = (
    <>
      <Mark name={name} tell={enter} />
      {children}
      <Mark name={name} tell={leave} />
    </>
  )
  return (
    <Boundary
      at={useLocation().key}
      page={usePage()}
      lost={lost.has(name)}
      instead={<div data-lost={name}>{instead}</div>}
    >
      {apart && !strict ? <Apart>{content}</Apart> : content}
    </Boundary>
  )
}

function Apart({ children }: { children: ReactNode }) {
  return (
    <>
      <Suspense>
        {children}
        <Count by={-1} />
      </Suspense>
      <Count by={1} />
    </>
  )
}

/** Hydration is React's own: only what is mounted in it tells how far it is. */
function Count({ by }: { by: 1 | -1 }) {
  useLayoutEffect(() => addPending(by), [by])
  return null
}

/** Tells the server that the render has come here. */
function Mark({ name, tell }: { name: string; tell: ((name: string) => void) | undefined }) {
  tell?.(name)
  return null
}

type BoundaryProps = { at: string; page: Page; lost?: boolean; instead: ReactNode; children: ReactNode }

/** Catches what is thrown in it. React asks for a class. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: this.props.lost ?? false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  // What the server could not render, the browser may.
  override componentDidMount() {
    if (this.props.lost) this.setState({ failed: false })
  }

  // Another address or other data is worth another try.
  override componentDidUpdate({ at, page }: BoundaryProps) {
    const isOther = at !== this.props.at || page !== this.props.page
    if (this.state.failed && isOther) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
