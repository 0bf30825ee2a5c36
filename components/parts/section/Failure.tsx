import { useLocation } from 'react-router'
import { useText } from '../../lib/text/text.tsx'

/** Instead of a page. It needs nothing that may have failed. */
export function Failure() {
  const t = useText()
  return (
    <div className="late">
      <h1>{t('failure.title')}</h1>
      <p>{t('failure.text')}</p>
      <Again look="button" />
    </div>
  )
}

/** Instead of a part of it. */
export function PartFailure() {
  const t = useText()
  return (
    <p className="note">
      {t('failure.part')} <Again look="link" />
    </p>
  )
}

/** The page anew, with and without scripts. */
function Again({ look }: { look: 'button' | 'link' }) {
  const t = useText()
  const { pathname, search } = useLocation()
  return (
    <a className={look} href={pathname + search}>
      {t('failure.reload')}
    </a>
  )
}
