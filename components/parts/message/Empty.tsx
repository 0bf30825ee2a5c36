import type { ReactNode } from 'react'
import { Ornament } from './Ornament.tsx'
import './empty.css'

type Props = {
  title: string
  text?: string
  /** The title is the page's own h1. */
  page?: boolean
  /** What it is about, drawn: it stands on the cloth. */
  scene?: ReactNode
  /** The way on. */
  children?: ReactNode
}

/** Nothing to show, or something went wrong: what it is, what is kept, one way on. Never a blank area. */
export function Empty({ title, text, page, scene, children }: Props) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <section className="empty">
      {scene}
      <Ornament />
      <Heading>{title}</Heading>
      {text ? <p className="soft">{text}</p> : null}
      {children}
    </section>
  )
}
