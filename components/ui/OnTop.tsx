import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTopSheet } from '../lib/browser/layers.ts'

/** Shows messages inside the sheet on top, if any: outside of it they could not be seen, pressed or heard. */
export function OnTop({ children }: { children: ReactNode }) {
  const sheet = useTopSheet()
  return sheet ? createPortal(children, sheet) : children
}
