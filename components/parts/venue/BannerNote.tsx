import type { Banner } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'

/** What couriers and guests have to know today: the venue's own words, or ours for what it names (FL-12). */
export function BannerNote({ banner }: { banner: Banner }) {
  const t = useText()
  const langOf = useTextLanguage()
  const text = banner.message || (banner.kind ? t.maybe(`banner.${banner.kind}`) : '')
  return text ? (
    <p className="note" data-info={banner.kind ? undefined : true} lang={langOf(banner.message)}>
      {text}
    </p>
  ) : null
}
