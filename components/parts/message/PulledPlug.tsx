import { Scene } from './Scene.tsx'

/** A plug beside its socket: something of ours does not work. */
export const PulledPlug = () => (
  <Scene>
    <path d="M12 46h26M38 34v24h12c7 0 12-5 12-12s-5-12-12-12ZM62 40h8M62 52h8" />
    <path className="hot" d="M86 30h10c8 0 14 7 14 16s-6 16-14 16H86ZM76 26l-4-6M76 66l-4 6" />
  </Scene>
)
