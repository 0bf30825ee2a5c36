import type { Texts } from '../../components/lib/page/fragments.ts'

export type KeptTexts = { shared: string; texts: () => Texts; filled: (answer: string) => string }
export function keptTexts(): KeptTexts
export function apart(data: string): { rest: string; shared: string }
