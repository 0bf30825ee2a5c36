import { Scene } from '../../parts/message/Scene.tsx'

/** The paper that a bill is printed on: nothing stands under the line, or it is ticked off. */
export const Receipt = ({ closed }: { closed: boolean }) => (
  <Scene>
    <path d="M38 6h44v68l-7-6-8 6-7-6-7 6-8-6-7 6ZM48 20h24M48 30h24" />
    <path className="hot" d={closed ? 'M50 48l7 7 14-15' : 'M52 48h16'} />
  </Scene>
)
