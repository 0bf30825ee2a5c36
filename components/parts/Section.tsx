import { Component, type ReactNode, Suspense, useContext } from 'react'
import { SectionsContext } from '../lib/sections.ts'
import { PartFailure } from './Failure.tsx'

type Props = {
  /** One of a kind on its page. It stands in the log. */
  name: string
  /** Hydrated by itself: the browser can breathe before and after it. */
  apart?: boolean
  /** What stands there when it fails. */
  instead?: ReactNode
  /** What it is about. Another one is worth another try. */
  of?: string
  children: ReactNode
}

/** A part of a page that fails alone: what throws in it leaves the others (SR-09). */
export function Section({ name, apart = false, instead = <PartFailure />, of, children }: Props) {
  const { lost, strict, enter, leave } = useContext(SectionsContext)
  const content = (
    <>
      <Mark name={name} tell={enter} />
      {children}
      <Mark name={name} tell={leave} />
    </>
  )
  return (
    <Boundary of={of} lost={lost.has(name)} instead={<div data-lost={name}>{instead}</div>}>
      {apart && !strict ? <Suspense>{content}</Suspense> : content}
    </Boundary>
  )
}

/** Tells the server that the render has come here. */
function Mark({ name, tell }: { name: string; tell: ((name: string) => void) | undefined }) {
  tell?.(name)
  return null
}

type BoundaryProps = { of: string | undefined; lost: boolean; instead: ReactNode; children: ReactNode }

/** React asks for a class. */
class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: this.props.lost }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  // What the server could not render, the browser may.
  override componentDidMount() {
    if (this.props.lost) this.setState({ failed: false })
  }

  override componentDidUpdate({ of }: BoundaryProps) {
    if (this.state.failed && of !== this.props.of) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
