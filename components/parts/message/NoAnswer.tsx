import { useText } from '../../lib/text/text.tsx'
import { Empty } from './Empty.tsx'
import { PulledPlug } from './PulledPlug.tsx'

type Props = {
  title: string
  text: string
  /** What is asked for again, by a full load: it works without scripts, and nothing stale stays. */
  href: string
}

/** The service did not answer: what is missing, what is kept, and another try. */
export function NoAnswer({ title, text, href }: Props) {
  const t = useText()
  return (
    <Empty scene={<PulledPlug />} title={title} text={text}>
      <a className="button" href={href}>
        {t('app.retry')}
      </a>
    </Empty>
  )
}
