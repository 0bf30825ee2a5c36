import { Scene } from '../../parts/message/Scene.tsx'

/** A key, for a sign-in that failed. */
export const Key = () => (
  <Scene>
    <path d="M20 40a15 15 0 1 1 30 0 15 15 0 1 1-30 0ZM50 37h52v6H50M102 43v10h-8V43M86 43v7h-8v-7" />
    <path className="hot" d="M30 40a5 5 0 1 1 10 0 5 5 0 1 1-10 0Z" />
  </Scene>
)
