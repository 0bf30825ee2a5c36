import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'faq'> = {
  path: () => paths.faq(),
  description: (_, t) => t('head.faq.description'),
  steps: (_, t) => [[t('head.faq.title'), paths.faq()]],
}
