import { Link } from 'react-router'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ProfilePage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './profile.css'

export const title: PageTitle<'profile'> = (_, t) => t('head.profile.title')

type Props = { data: ProfilePage }

/** Who is signed in, and the way out: a whole load, so that nothing of the guest stays in the app. */
export function Page({ data: { name, phone } }: Props) {
  const t = useText()
  const { home } = useShell()
  return (
    <section className="profile">
      <h1>{name || t('profile.title')}</h1>
      <p className="soft">{phone || t('profile.unknown')}</p>
      <Link className="link" to={paths.booking()}>
        {t('profile.bookings')}
      </Link>
      <form method="post" action={actions.signOut()}>
        <Hidden fields={{ back: home }} />
        <p className="soft">{t('profile.goes')}</p>
        <Button quiet>{t('profile.signOut')}</Button>
      </form>
    </section>
  )
}
