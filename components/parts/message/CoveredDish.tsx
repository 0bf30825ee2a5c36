import { Scene } from './Scene.tsx'

/** A dish under its cover: it will be served. */
export const CoveredDish = () => (
  <Scene>
    <path d="M22 64c0-22 16-38 38-38s38 16 38 38ZM14 64h92M14 72h92M60 26v-6" />
    <path className="hot" d="M60 20a4 4 0 1 1 .1 0M36 56c1-9 7-16 14-19" />
  </Scene>
)
