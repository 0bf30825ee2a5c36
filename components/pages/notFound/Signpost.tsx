import { Scene } from '../../parts/message/Scene.tsx'

/** A signpost in the steppe: the way led nowhere. */
export const Signpost = () => (
  <Scene>
    <path d="M60 78V10M60 18h30l8 8-8 8H60M60 40H34l-8 8 8 8h26" />
    <path className="hot" d="M20 78c3-6 6-6 8 0M92 78c3-8 7-8 10 0M12 78h96" />
  </Scene>
)
