import { useRef } from 'react'
import { useLocation } from 'react-router'
import { ownAddress } from '../lib/browser/address.ts'
import { useLightDismiss } from '../lib/browser/light-dismiss.ts'
import { useShell } from '../lib/page/shell.ts'
import type { Lang } from '../lib/page-data.ts'
import { useText } from '../lib/text/text.tsx'
import { LanguageList } from '../parts/language/LanguageList.tsx'
import { Icon } from '../ui/Icon.tsx'

const SHORT = { kk: 'Қаз', ru: 'Рус', en: 'Eng', ka: 'ქარ' } satisfies Record<Lang, string>

/** Real addresses that keep path and query: a full load in the other language (LC-25). */
export function LanguageLinks() {
  const t = useText()
  const shell = useShell()
  const { pathname, search, key } = useLocation()
  // The first address may hold more than the page knows, such as a table's keys or tracking: the server left them out.
  const url = key === 'default' ? shell.url : pathname + search
  const list = useRef<HTMLDetailsElement>(null)
  useLightDismiss(list)
  return (
    <details className="lang" ref={list}>
      <summary className="chip">
        <Icon name="globe" />
        <span className="vh">{`${t('app.language')}: `}</span>
        <span lang={shell.lang}>{SHORT[shell.lang]}</span>
      </summary>
      <LanguageList url={url} now={ownAddress} />
    </details>
  )
}
