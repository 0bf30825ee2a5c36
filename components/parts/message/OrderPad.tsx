import { Scene } from './Scene.tsx'

/** The pad that a waiter writes orders on: no line of it is written yet. */
export const OrderPad = () => (
  <Scene>
    <path d="M30 16h40v58H30ZM38 10v12M50 10v12M62 10v12" />
    <path className="hot" d="M96 22l9 5-20 36-10 6 1-11ZM77 58l8 5" />
  </Scene>
)
