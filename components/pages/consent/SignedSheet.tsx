import { Scene } from '../../parts/message/Scene.tsx'

/** A sheet with a signature under it. */
export const SignedSheet = () => (
  <Scene>
    <path d="M36 6h34l14 14v54H36ZM70 6v14h14M46 30h28M46 40h28" />
    <path className="hot" d="M46 60c3-10 8-10 8 0s5 4 8-3 4 5 12 2" />
  </Scene>
)
