import { useState, useSyncExternalStore } from 'react'
import { copyText } from '../../lib/browser/clipboard.ts'
import type { Lang } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { withQuery } from '../../paths.ts'
import { type Recorder, type RequestRecord, statusClass, timeOf } from './recorder.ts'
import './debug.css'

export type DebugProps = { recorder: Recorder; lang: Lang; fallback: Lang }

const TABS = ['console', 'network'] as const

/** What developers of a mini-app see of the page (DB-01). It lies over the page and holds nothing up. */
export function Overlay({ recorder }: DebugProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [tab, setTab] = useState<(typeof TABS)[number]>('console')
  if (!open) {
    return (
      <button type="button" className="debug-open" onClick={() => setOpen(true)}>
        {t('debug.open')}
      </button>
    )
  }
  return (
    <section className="debug" aria-label={t('debug.open')}>
      <header>
        <div role="tablist">
          {TABS.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`debug-${one}`}
              aria-selected={one === tab}
              aria-controls="debug-panel"
              className="chip"
              onClick={() => setTab(one)}
            >
              {t(`debug.${one}`)}
            </button>
          ))}
        </div>
        <button type="button" className="chip" onClick={() => setOpen(false)}>
          {t('app.close')}
        </button>
      </header>
      <div role="tabpanel" id="debug-panel" aria-labelledby={`debug-${tab}`}>
        {tab === 'console' ? <Logs recorder={recorder} /> : <Requests recorder={recorder} />}
      </div>
    </section>
  )
}

function Logs({ recorder }: { recorder: Recorder }) {
  const t = useText()
  const logs = useSyncExternalStore(recorder.subscribe, recorder.logs)
  if (logs.length === 0) return <p>{t('debug.noLogs')}</p>
  return (
    <ol>
      {logs.map(({ id, at, type, text }) => (
        <li key={id} data-status={type}>
          <span className="num">{timeOf(at)}</span> <b>{type}</b> <code>{text}</code>
        </li>
      ))}
    </ol>
  )
}

function Requests({ recorder }: { recorder: Recorder }) {
  const t = useText()
  const requests = useSyncExternalStore(recorder.subscribe, recorder.requests)
  if (requests.length === 0) return <p>{t('debug.noRequests')}</p>
  return (
    <>
      <button type="button" className="link" onClick={recorder.clear}>
        {t('debug.clear')}
      </button>
      <ol>
        {requests.map((record) => (
          <Row key={record.id} record={record} />
        ))}
      </ol>
    </>
  )
}

function Row({ record }: { record: RequestRecord }) {
  const t = useText()
  const [copied, setCopied] = useState(false)
  const { method, url, params, headers, body, startDate, endDate, statusCode, response } = record
  const kind = statusClass(record)
  return (
    <li data-status={kind}>
      <p>
        <b>{statusCode ?? kind}</b> <span className="num">{timeOf(startDate)}</span> {method}{' '}
        <code>{withQuery(url, params)}</code>
      </p>
      <details>
        <summary>{t('debug.headers')}</summary>
        <Json of={headers} />
      </details>
      {body === null ? null : (
        <details>
          <summary>{t('debug.body')}</summary>
          <Json of={body} />
        </details>
      )}
      <details>
        <summary>{t('debug.details')}</summary>
        {endDate ? (
          <>
            <p>{t('debug.took', { ms: endDate.getTime() - startDate.getTime() })}</p>
            <Json of={response} />
          </>
        ) : (
          <p>{t('debug.pending')}</p>
        )}
      </details>
      <button
        type="button"
        className="link"
        onClick={() => void copyText(JSON.stringify(record, null, 1)).then(setCopied)}
      >
        {t(copied ? 'debug.copied' : 'debug.copy')}
      </button>
    </li>
  )
}

/** It scrolls in itself, by the keyboard too. */
function Json({ of: value }: { of: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <pre tabIndex={0}>{JSON.stringify(value, null, 1)}</pre>
  )
}
