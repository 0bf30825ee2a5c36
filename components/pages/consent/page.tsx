import { formatLongDay } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { ConsentPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { SignedSheet } from './SignedSheet.tsx'

export const title: PageTitle<'consent'> = (_, t) => t('head.consent.title')

/** There is nothing to go back to before the answer. */
export const frame: PageFrame<'consent'> = { back: null }

type Props = { data: ConsentPage }

/** Whether the guest of a partner's app agrees that their data is used (HB-14). Plain forms: each answer is a whole load. */
export function Page({ data: { back, refused, version } }: Props) {
  const t = useText()
  return (
    <Empty
      page
      scene={<SignedSheet />}
      title={t(refused ? 'consent.refusedTitle' : 'consent.title')}
      text={t(refused ? 'consent.refused' : 'consent.text')}
    >
      <p>
        <a className="link" href={paths.legal('privacy')}>
          {t('consent.privacy')}
        </a>
      </p>
      <p>
        <a className="link" href={paths.legal('terms')}>
          {t('consent.terms')}
        </a>
      </p>
      <form method="post" action={actions.answerConsent()}>
        <Hidden fields={{ answer: 'yes', version, back }} />
        <Button>{t('consent.yes')}</Button>
      </form>
      {refused ? null : (
        <form method="post" action={actions.answerConsent()}>
          <Hidden fields={{ answer: 'no', back }} />
          <Button quiet>{t('consent.no')}</Button>
        </form>
      )}
      <p className="soft">
        {t('consent.version', { version: formatLongDay(Date.parse(version), 0, t.lang) })}
      </p>
    </Empty>
  )
}
