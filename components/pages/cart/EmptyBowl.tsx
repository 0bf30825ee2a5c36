import { Scene } from '../../parts/message/Scene.tsx'

/** An empty bowl that still steams: nothing is chosen yet. */
export const EmptyBowl = () => (
  <Scene>
    <path d="M30 44h60q0 30-30 30T30 44ZM48 74h24" />
    <path className="hot" d="M48 34q-6-7 0-14M60 34q-6-7 0-14M72 34q-6-7 0-14" />
  </Scene>
)
