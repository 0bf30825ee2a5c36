import { useAskingAgain } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from './Empty.tsx'
import { PulledPlug } from './PulledPlug.tsx'

type Props = {
  title: string
  text: string
  /** What is asked for again, by a full load: it works without scripts, and nothing stale stays. */
  href: string
}

/** The service did not answer: what is missing, what is kept, and another try; it is asked again without the guest, too. */
export function NoAnswer({ title, text, href }: Props) {
  const t = useText()
  // Searches of an address are counted: nobody's own are used up by a page that stays open.
  useAskingAgain(!/[?&]q=/.test(href))
  return (
    <Empty scene={<PulledPlug />} title={title} text={text}>
      <a className="button" href={href}>
        {t('app.retry')}
      </a>
    </Empty>
  )
}
