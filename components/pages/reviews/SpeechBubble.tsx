import { Scene } from '../../parts/message/Scene.tsx'

/** A speech bubble with a star, for a venue without reviews. */
export const SpeechBubble = () => (
  <Scene>
    <path d="M30 10h60a6 6 0 0 1 6 6v34a6 6 0 0 1-6 6H56L42 72V56H30a6 6 0 0 1-6-6V16a6 6 0 0 1 6-6Z" />
    <path className="hot" d="m60 20 4 8 9 1-6 7 1 9-8-4-8 4 1-9-6-7 9-1Z" />
  </Scene>
)
