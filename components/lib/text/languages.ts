import type { Lang } from '../page-data.ts'

/** Languages are named in themselves, whatever the page speaks. */
export const LANGUAGES = {
  kk: 'Қазақша',
  ru: 'Русский',
  en: 'English',
  ka: 'ქართული',
} satisfies Record<Lang, string>
