import type { ReactNode } from 'react'
import './scene.css'

/** A decorative drawing of 120 by 80; the words beside it say what it is about. */
export const Scene = ({ children }: { children: ReactNode }) => (
  <svg className="scene" viewBox="0 0 120 80" aria-hidden="true">
    {children}
  </svg>
)
