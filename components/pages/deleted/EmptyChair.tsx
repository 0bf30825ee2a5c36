import { Scene } from '../../parts/message/Scene.tsx'

/** A chair that a guest has left. */
export const EmptyChair = () => (
  <Scene>
    <path d="M38 11q4-5 8 0l4 33h-8ZM42 44l-4 32M42 44h36l4 32M40 60h40" />
    <path className="hot" d="M54 38h18a3 3 0 0 1 0 6" />
  </Scene>
)
