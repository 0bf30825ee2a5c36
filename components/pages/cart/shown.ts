import type { PageShown } from '../../lib/page/pages.ts'

export const shown: PageShown<'cart'> = { event: () => ({ name: 'basketOpened' }) }
