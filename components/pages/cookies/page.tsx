import type { PageTitle } from '../../lib/page/pages.ts'
import type { CookiesPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { BittenCookie } from './BittenCookie.tsx'

export const title: PageTitle<'cookies'> = (_, t) => t('head.cookies.title')

type Props = { data: CookiesPage }

/** The browser keeps no cookies, so nothing can be put into a cart: why, and what helps. A full load tries it again. */
export function Page({ data }: Props) {
  const t = useText()
  return (
    <Empty page scene={<BittenCookie />} title={t('cookies.title')} text={t('cookies.text')}>
      <p>{t('cookies.allow')}</p>
      <p>{t('cookies.waiter')}</p>
      <a className="button" href={data.back}>
        {t('cookies.back')}
      </a>
    </Empty>
  )
}
