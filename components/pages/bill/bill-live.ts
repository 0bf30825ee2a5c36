/** The open page of a bill keeps itself up to date, and says what has changed: server-sent events, else polling. */

import { useEffect, useState } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import { readJson, watchStream } from '../../lib/live/stream.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { BillLine, BillPage } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { payingOwn } from './paying-own.ts'

export type LiveBill = {
  bill: BillPage
  /** Nothing was heard for a long time. */
  stale: boolean
  /** Lines that are others than they were. */
  changed: ReadonlySet<string>
  /** What has changed, in words. */
  news: string
}

const NONE: ReadonlySet<string> = new Set()
/** How long a change is told and marked: later it would cover the current sums. */
const SHOWN = 12_000

/** The newest reading of the bill. */
export function useLiveBill(first: BillPage): LiveBill {
  const t = useText()
  const [live, setLive] = useState<LiveBill>({ bill: first, stale: false, changed: NONE, news: '' })
  const { events } = first
  // What the guest has asked for is newer than what was heard before.
  const own = live.bill.events !== events || first.readAt >= live.bill.readAt

  // The stream, the timers and the state of visibility are outside of React.
  useEffect(() => {
    if (!events) return
    return watchStream<BillPage>({
      address: () => events,
      read: (data) => readJson(data, isBill),
      ask,
      heard(next) {
        setLive((now) => heard(t, now, next, events))
        return next.state !== 'open'
      },
      silent: () => setLive((now) => ({ ...now, stale: true })),
    })
  }, [events, t])
  const { news, changed } = live
  // Time is outside of React.
  useEffect(() => {
    if (!news && changed.size === 0) return
    const timer = setTimeout(() => setLive((now) => ({ ...now, changed: NONE, news: '' })), SHOWN)
    return () => clearTimeout(timer)
  }, [news, changed])

  // What came in the way stays told until the guest goes on, or it is there no more.
  if (!own) {
    const problem = isOver(first, live.bill) ? null : first.problem
    return { ...live, bill: { ...live.bill, problem } }
  }
  const isSame = live.bill.bill === first.bill
  return { bill: first, stale: false, changed: isSame ? changed : NONE, news: isSame ? news : '' }
}

function heard(t: Text, now: LiveBill, next: BillPage, events: string): LiveBill {
  const bill = next.state === 'open' ? { ...next, events } : { ...next, events, href: now.bill.href }
  const changes = differences(t, now.bill, bill)
  const quiet = changes.news === '' && changes.changed.size === 0
  return {
    bill,
    stale: false,
    changed: quiet ? now.changed : changes.changed,
    // A sum of before is not said beside another one.
    news: quiet && bill.left === now.bill.left ? now.news : changes.news,
  }
}

/** What is worth a word: dishes that were brought, money that was paid, a bill that is closed. */
export function differences(
  t: Text,
  before: BillPage,
  now: BillPage,
): { changed: ReadonlySet<string>; news: string } {
  if (before.state !== now.state) {
    return { changed: NONE, news: now.paidInFull ? t('bill.closedPaid') : t(`bill.news.${now.state}`) }
  }
  const old = new Map(before.lines.map((line) => [line.key, line]))
  const changed = now.lines.filter((line) => isOther(old.get(line.key), line))
  const words = changed.flatMap((line) => wordsOf(t, old.get(line.key), line))
  const gone = before.lines.filter(({ key }) => !now.lines.some((line) => line.key === key))
  words.push(...gone.map(({ name }) => t('bill.news.removed', { name })))
  if (now.paid > before.paid) {
    words.push(paidText(t, now, now.paid - before.paid))
  }
  // A guest who has chosen dishes is told what has become of them.
  const [was, is] = [before.left, now.left]
  if (was > 0 && is === 0 && now.paying > before.paying) words.push(t('bill.news.allPaying'))
  if (was === 0 && is > 0 && now.paying < before.paying) {
    words.push(t('bill.news.leftAgain', { left: formatMoney(is, now.money) }))
  }
  return { changed: new Set(changed.map(({ key }) => key)), news: words.join('. ') }
}

/** What was paid, and how much is left: what is only at a bank is named as that. */
function paidText(t: Text, now: BillPage, paid: number): string {
  const sum = (of: number) => formatMoney(of, now.money)
  const paying = now.paying + payingOwn(now)
  const words = { sum: sum(paid), left: sum(now.left) }
  return paying > 0 ? t('bill.news.paidRest', { ...words, paying: sum(paying) }) : t('bill.news.paid', words)
}

/** Whether what came in the way is there no more: of a sum the server says the same. */
export function isOver({ problem, wanted, lines }: BillPage, now: BillPage): boolean {
  if (problem === 'taken') return isFree(lines, now.lines)
  return problem === 'less' && wanted !== undefined && wanted <= now.left
}

/** Whether what others had at first is free again, or no longer on the bill. */
function isFree(first: readonly BillLine[], now: readonly BillLine[]): boolean {
  const held = first.filter(({ others }) => others > 0)
  return (
    held.length > 0 &&
    held.every(({ key, others, paid }) => {
      const line = now.find((one) => one.key === key)
      return !line || line.others + line.paid < others + paid
    })
  )
}

function isOther(old: BillLine | undefined, { count, others, paid }: BillLine): boolean {
  return !old || old.count !== count || old.others !== others || old.paid !== paid
}

function wordsOf(t: Text, old: BillLine | undefined, line: BillLine): string[] {
  const { name, count, others } = line
  const added = count - (old?.count ?? 0)
  if (added > 0) return [t('bill.news.added', { name, count: added })]
  if (added < 0) return [t('bill.news.fewer', { name, count })]
  if (old && others > old.others) return [t('bill.news.taken', { name })]
  if (old && others < old.others && line.paid === old.paid) return [t('bill.news.free', { name })]
  return []
}

/** The bill as the page's own data tells it now, or null. */
async function ask(): Promise<BillPage | null> {
  const answer = await fetchPage(location.pathname + location.search).catch(() => null)
  if (answer?.kind !== 'page') return null
  const { data } = answer.data.page
  return isBill(data) ? data : null
}

function isBill(value: unknown): value is BillPage {
  return (
    typeof value === 'object' && value !== null && 'lines' in value && 'left' in value && 'readAt' in value
  )
}
