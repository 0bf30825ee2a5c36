import { Scene } from './Scene.tsx'

/** A pin on a spot where there is no restaurant. */
export const EmptyPlace = () => (
  <Scene>
    <path d="M60 64C46 49 40 41 40 32a20 20 0 1 1 40 0c0 9-6 17-20 32ZM36 60c-12 2-20 5-20 9 0 5 19 8 44 8s44-3 44-8c0-4-8-7-20-9" />
    <path className="hot" d="M53 31h14" />
  </Scene>
)
