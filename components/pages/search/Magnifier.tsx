import { Scene } from '../../parts/message/Scene.tsx'

/** A magnifying glass over a cloth with nothing on it. */
export const Magnifier = () => (
  <Scene>
    <path d="M34 34a22 22 0 1 1 44 0 22 22 0 1 1-44 0ZM72 50l18 18M14 76h92" />
    <path className="hot" d="M46 38q5-6 10 0t10 0M46 29q5-6 10 0t10 0" />
  </Scene>
)
