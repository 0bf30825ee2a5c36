import { formatPhone } from '../../lib/format/phone.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CheckingPage } from '../../lib/page-data.ts'
import { useAsking } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { CoveredDish } from '../../parts/message/CoveredDish.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'

const INTERVAL = 3000

export const title: PageTitle<'checking'> = (_, t) => t('head.checking.title')

type Props = { data: CheckingPage }

/** The restaurant has not said yet whether it took the order; the page asks again by itself, until it asks the guest. */
export function Page({ data }: Props) {
  const t = useText()
  useAsking(!data.left, INTERVAL)

  if (data.left) return <Left orderKey={data.key} {...data.left} />
  return (
    <Empty page scene={<CoveredDish />} title={t('checking.title')} text={t('checking.text')}>
      <p>{t('checking.kept')}</p>
      <a className="button" href={paths.checking(data.key)}>
        {t('checking.refresh')}
      </a>
    </Empty>
  )
}

function Left({ orderKey, phone }: { orderKey: string } & NonNullable<CheckingPage['left']>) {
  const t = useText()
  const { kiosk } = useShell()
  return (
    <Empty page scene={<CoveredDish />} title={t('checking.left.title')} text={t('checking.left.text')}>
      <p>{t('checking.left.again')}</p>
      <form method="post" action={actions.sendChecked(orderKey)}>
        <Button>{t('checking.left.send')}</Button>
      </form>
      <form method="post" action={actions.dropChecked(orderKey)}>
        <Button quiet>{t('checking.left.drop')}</Button>
      </form>
      <p className="soft">{t('checking.left.dropText')}</p>
      {phone ? (
        <a className="link" href={kiosk ? undefined : phone.href}>
          {t('checking.left.call', { number: formatPhone(phone.text) })}
        </a>
      ) : null}
    </Empty>
  )
}
