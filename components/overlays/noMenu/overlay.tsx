import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { OpenMenu } from '../../parts/message/OpenMenu.tsx'
import { paths } from '../../paths.ts'

type Props = { failed: boolean; venueId: number }

/** Instead of the dishes of a menu that did not come or does not exist. */
export function Overlay({ failed, venueId }: Props) {
  const t = useText()
  return failed ? (
    <NoAnswer title={t('noMenu.failed')} text={t('noMenu.failedText')} href={paths.menu(venueId)} />
  ) : (
    <Empty scene={<OpenMenu />} title={t('noMenu.empty')} text={t('noMenu.emptyText')}>
      <Link className="button" to={paths.venues()}>
        {t('cart.toVenues')}
      </Link>
    </Empty>
  )
}
