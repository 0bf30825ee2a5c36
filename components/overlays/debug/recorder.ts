/**
 * What the page says to the console and asks of the server, for the panel of developers (DB-02, DB-07). The newest are kept;
 * recording changes nothing of it.
 */

import { createListeners } from '../../lib/browser/listeners.ts'
import { HIDDEN, isSecret, redactBody, redactPairs, redactText } from './redact.ts'

const MOST_LOGS = 200
const MOST_REQUESTS = 100
/** Longer texts are cut. */
const LONGEST = 20_000

export type LogType = 'logs' | 'warn' | 'error'
type Log = { id: number; at: Date; type: LogType; text: string }

export type RequestRecord = {
  id: number
  url: string
  method: string
  params: Record<string, string>
  headers: Record<string, string>
  body: unknown
  startDate: Date
  endDate: Date | null
  statusCode: number | null
  response: unknown
}

/** By the first digit of the status; no status is an error (DB-03). */
export function statusClass({ statusCode, endDate }: RequestRecord): string {
  if (endDate === null) return 'pending'
  const digit = Math.floor((statusCode ?? 0) / 100)
  return ['error', 'info', 'success', 'redirect'][digit] ?? 'error'
}

/** HH:MM:SS. */
export function timeOf(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

export type Recorder = ReturnType<typeof createRecorder>

type Scope = Pick<typeof globalThis, 'fetch'> & { console: Pick<Console, 'log' | 'info' | 'warn' | 'error'> }

export function createRecorder(scope: Scope) {
  const listeners = createListeners()
  let logs: readonly Log[] = []
  let requests: readonly RequestRecord[] = []
  let ids = 0
  const nextId = () => {
    ids += 1
    return ids
  }

  function log(type: LogType, said: readonly unknown[]): void {
    const text = redactText(said.map(written).join(' ')).slice(0, LONGEST)
    logs = [...logs, { id: nextId(), at: new Date(), type, text }].slice(-MOST_LOGS)
    listeners.tell()
  }

  for (const [name, type] of [
    ['log', 'logs'],
    ['info', 'logs'],
    ['warn', 'warn'],
    ['error', 'error'],
  ] as const) {
    const original = scope.console[name]
    scope.console[name] = (...said) => {
      original.apply(scope.console, said)
      log(type, said)
    }
  }

  const fetch = scope.fetch
  scope.fetch = async (input, init) => {
    const record = begin(input, init)
    try {
      const answer = await fetch.call(globalThis, input, init)
      void answer
        .clone()
        .text()
        .catch(() => '')
        .then((text) => end(record, answer.status, text))
      return answer
    } catch (error) {
      end(record, null, String(error))
      throw error
    }
  }

  function begin(input: RequestInfo | URL, init: RequestInit | undefined): RequestRecord {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input), 'http://page.invalid')
    const { body } = init ?? {}
    const record: RequestRecord = {
      id: nextId(),
      url: redactText(url.host === 'page.invalid' ? url.pathname : url.origin + url.pathname),
      method: init?.method ?? request?.method ?? 'GET',
      params: redactPairs(url.searchParams),
      headers: redactPairs(new Headers(init?.headers ?? request?.headers)),
      body:
        typeof body === 'string' || body instanceof URLSearchParams ? redactBody(String(body), false) : null,
      startDate: new Date(),
      endDate: null,
      statusCode: null,
      response: null,
    }
    requests = [...requests, record].slice(-MOST_REQUESTS)
    listeners.tell()
    return record
  }

  function end({ id, url }: RequestRecord, statusCode: number | null, text: string): void {
    const part = text.slice(0, LONGEST)
    // Files of ours are the same for everybody.
    const response = url.includes('/assets/') ? parsed(part) : redactBody(part, true)
    const done = { endDate: new Date(), statusCode, response }
    requests = requests.map((one) => (one.id === id ? { ...one, ...done } : one))
    listeners.tell()
  }

  return {
    subscribe: listeners.subscribe,
    logs: () => logs,
    requests: () => requests,
    clear() {
      requests = []
      listeners.tell()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Objects as JSON without what is secret; one that holds itself says so instead of throwing (DB-08). */
export function written(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const seen = new WeakSet()
  try {
    const text = JSON.stringify(value, (name, one) => {
      if (isSecret(name, one)) return HIDDEN
      if (typeof one === 'bigint') return String(one)
      if (typeof one !== 'object' || one === null) return one
      if (seen.has(one)) return '[seen above]'
      seen.add(one)
      return one
    })
    return text ?? String(value)
  } catch {
    return String(value)
  }
}
