import type { EngineCache } from '../../components/lib/page/fragments.ts'

export type FakeCache = { shared: string; engine: () => EngineCache; filled: (answer: string) => string }
export function fragmentCache(): FakeCache
export function apart(data: string): { rest: string; shared: string }
