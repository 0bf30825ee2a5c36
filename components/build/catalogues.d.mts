import type { Catalogue, Message } from '../lib/text/message.ts'

type Texts = Record<string, Record<string, string>>
type Placeholders = Record<string, Record<string, 'number' | 'any'>>

export declare const LANGS: readonly string[]
export declare function readTexts(folder: string): {
  texts: Texts
  problems: string[]
  owners: Record<string, string>
}
export declare function compileTexts(texts: Texts): {
  catalogues: Record<string, Catalogue>
  placeholders: Placeholders
  problems: string[]
}
export declare function compileText(
  text: string,
  place: string,
  lang: string,
  problems: string[],
): { message: Message; found: Map<string, 'number' | 'any'> }
export declare function messageTypes(placeholders: Placeholders): string
