import { Scene } from '../../parts/message/Scene.tsx'

/** A cookie that is not whole any more. */
export const BittenCookie = () => (
  <Scene>
    <path d="M60 10a30 30 0 1 0 30 30 10 10 0 0 1-12-9 10 10 0 0 1-9-9 10 10 0 0 1-9-12ZM94 18h.1M102 28h.1M88 8h.1" />
    <path
      className="hot"
      d="M48 30a3 3 0 1 1 .1 0M44 50a3 3 0 1 1 .1 0M62 46a3 3 0 1 1 .1 0M60 62a3 3 0 1 1 .1 0M74 54a3 3 0 1 1 .1 0"
    />
  </Scene>
)
