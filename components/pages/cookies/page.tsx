import type { PageTitle } from '../../lib/page/pages.ts'
import type { CookiesPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { BittenCookie } from './BittenCookie.tsx'

export const title: PageTitle<'cookies'> = (_, t) => t('head.cookies.title')

type Props = { data: CookiesPage }

/**
 * The browser keeps no cookies, so nothing can be put into a cart: why, and what helps. A full load tries it again. In a
 * frame there is a cart nevertheless; only the sign-in does not work.
 */
export function Page({ data }: Props) {
  const t = useText()
  const { back, window } = data
  if (window !== null)
    return (
      <Empty page scene={<BittenCookie />} title={t('cookies.title')} text={t('cookies.signIn')}>
        <p>{t('cookies.signInHow')}</p>
        <a className="button" href={window} target="_blank" rel="noopener noreferrer">
          {t('cookies.window')}
        </a>
        <a className="button" data-quiet="" href={back}>
          {t('cookies.back')}
        </a>
      </Empty>
    )
  return (
    <Empty page scene={<BittenCookie />} title={t('cookies.title')} text={t('cookies.text')}>
      <p>{t('cookies.allow')}</p>
      <p>{t('cookies.waiter')}</p>
      <a className="button" href={back}>
        {t('cookies.back')}
      </a>
    </Empty>
  )
}
