import { Scene } from '../../parts/message/Scene.tsx'

/** A stall with its shutter down, and the moon over it. */
export const Shutter = () => (
  <Scene>
    <path d="m20 30 6-16h56l6 16q-8 9-17 0-9 9-17 0-8 9-17 0-9 9-17 0ZM26 38v38M82 38v38M34 46h40M34 56h40M34 66h40M10 76h100" />
    <path className="hot" d="M108 8a10 10 0 1 0 6 17A13 13 0 0 1 108 8Z" />
  </Scene>
)
