import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { AuthPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Key } from './Key.tsx'

export const title: PageTitle<'auth'> = (_, t) => t('head.auth.title')

type Props = { data: AuthPage }

/**
 * The sign-in failed: why, another try, and the way on without. A deleted account can be restored instead. All of them
 * lead out of the app or to a whole page.
 */
export function Page({ data: { problem, back, on: next } }: Props) {
  const t = useText()
  const { home } = useShell()
  const on = next === paths.home() ? home : next
  return (
    <Empty
      page
      scene={<Key />}
      title={t(problem === 'deleted' ? 'auth.gone' : 'auth.title')}
      text={t(`auth.${problem}`)}
    >
      <p>{t('auth.kept')}</p>
      {problem === 'deleted' ? (
        <Restore back={back} on={on} />
      ) : (
        <>
          <form method="post" action={actions.signIn()}>
            <Hidden fields={{ back }} />
            <Button>{t('auth.again')}</Button>
          </form>
          <a className="link" href={on}>
            {t('auth.on')}
          </a>
        </>
      )}
    </Empty>
  )
}

/** Both are forms: the server keeps the deleted account for this answer, and forgets it with it. */
function Restore({ back, on }: Pick<AuthPage, 'back' | 'on'>) {
  const t = useText()
  return (
    <>
      <form method="post" action={actions.restore()}>
        <Hidden fields={{ back }} />
        <Button>{t('auth.restore')}</Button>
      </form>
      <form method="post" action={actions.restore()}>
        <Hidden fields={{ back: on, answer: 'no' }} />
        <Button quiet>{t('auth.on')}</Button>
      </form>
    </>
  )
}
