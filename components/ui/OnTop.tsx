import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTopSheet } from '../lib/browser/layers.ts'

/** Shows messages inside the sheet on top, where there is one: outside of it nobody could see, press or hear them. */
export function OnTop({ children }: { children: ReactNode }) {
  const sheet = useTopSheet()
  return sheet ? createPortal(children, sheet) : children
}
