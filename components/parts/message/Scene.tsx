import type { ReactNode } from 'react'
import './scene.css'

/** A drawing of 120 by 80 for whoever sees it; what it is about stands in words beside it. */
export const Scene = ({ children }: { children: ReactNode }) => (
  <svg className="scene" viewBox="0 0 120 80" aria-hidden="true">
    {children}
  </svg>
)
