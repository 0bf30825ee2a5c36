import { formatPhone } from '../../lib/format/phone.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ProfileAddresses, ProfilePage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { LanguageList } from '../../parts/language/LanguageList.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import '../../frame/nav.css'
import './profile.css'

export const title: PageTitle<'profile'> = (_, t) => t('head.profile.title')

type Props = { data: ProfilePage }

/** Who is signed in, what is the guest's own, and the way out. */
export function Page({ data }: Props) {
  const t = useText()
  const { lang, money } = useShell()
  const { messages, bonuses, addresses, saved } = data
  const ways = [
    [paths.orders(), t('nav.orders')],
    [
      paths.bonuses(),
      t('profile.bonuses'),
      bonuses === null ? null : <Sum key={0} of={bonuses} money={money} />,
    ],
    [
      paths.addresses({ back: paths.profile() }),
      t('profile.addresses'),
      addresses && addressText(addresses, t),
    ],
    [paths.booking(), t('profile.bookings')],
    [paths.faq(), t('footer.faq')],
    [paths.legal('terms'), t('footer.terms')],
    [paths.legal('privacy'), t('footer.privacy')],
  ] as const
  return (
    <div className="profile">
      {saved ? (
        <p className="note" data-info role="status">
          {t('profile.saved')}
        </p>
      ) : null}
      <Greeting data={data} />
      <nav aria-label={t('profile.ways')}>
        <ul className="card own-ways">
          {ways.map(([to, name, value]) => (
            <li key={to}>
              <Link to={to}>
                <span>
                  {name}
                  {value ? <span className="soft">{value}</span> : null}
                </span>
                <Icon name="chevron-right" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="language">
        <h2 id="language">{t('app.language')}</h2>
        <LanguageList url={paths.profile()} className="profile-languages" />
        {messages && messages !== lang ? (
          <p className="soft">{t('profile.messages', { language: LANGUAGES[messages] })}</p>
        ) : null}
      </section>
      <SignOut />
      <Link className="link" data-bad to={paths.deletion()}>
        {t('profile.delete')}
      </Link>
    </div>
  )
}

/** The address that orders are brought to, and how many more there are. */
function addressText({ count, active }: ProfileAddresses, t: Text): string {
  if (!active) return ''
  return count > 1 ? t('profile.more', { address: active, count: count - 1 }) : active
}

/** By name; a guest without one is asked for it (PR-07). */
function Greeting({ data: { known, name, phone, avatar } }: Props) {
  const t = useText()
  const { url } = useShell()
  const number = phone ? <p className="soft num">{formatPhone(phone)}</p> : null
  // The name stands beside it.
  const picture = avatar ? <img src={avatar} width={96} height={96} alt="" /> : null
  if (!known) {
    return (
      <section>
        <h1>{t('profile.title')}</h1>
        <p className="soft">{t('profile.unknown')}</p>
        <a className="button" data-quiet href={url}>
          {t('app.retry')}
        </a>
      </section>
    )
  }
  if (!name) {
    return (
      <section>
        {picture}
        <h1>{t('profile.welcome')}</h1>
        {number}
        <p>{t('profile.invite')}</p>
        <Link className="button" to={paths.profileForm()}>
          {t('profile.setName')}
        </Link>
      </section>
    )
  }
  return (
    <section>
      {picture}
      <h1>{t('profile.hello', { name })}</h1>
      {number}
      <Link className="button" data-quiet to={paths.profileForm()}>
        {t('profile.change')}
      </Link>
    </section>
  )
}

/** A whole load, so that nothing of the guest stays in the app. */
function SignOut() {
  const t = useText()
  const { home } = useShell()
  return (
    <form method="post" action={actions.signOut()}>
      <Hidden fields={{ back: home }} />
      <p className="soft">{t('profile.goes')}</p>
      <Button quiet>{t('profile.signOut')}</Button>
      <button className="link" type="submit" name="everywhere" value="yes">
        {t('profile.signOutEverywhere')}
      </button>
    </form>
  )
}
