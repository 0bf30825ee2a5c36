import { Scene } from './Scene.tsx'

/** A menu that is open at an empty page. */
export const OpenMenu = () => (
  <Scene>
    <path d="M60 22c-9-7-24-9-40-6v50c16-3 31-1 40 6 9-7 24-9 40-6V16c-16-3-31-1-40 6ZM60 22v50M32 30c6 0 11 1 16 3M32 42c6 0 11 1 16 3" />
    <path className="hot" d="M73 38q5-6 10 0t10 0" />
  </Scene>
)
