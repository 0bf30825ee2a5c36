/**
 * The bridge to a host app (HB-02, beyond.md, 14). Each call has an end: what is not answered within fifteen seconds, is
 * answered with an error or with something else than the method answers, is no answer, and its caller goes the second way.
 * Such a method is not called again on this page, so that its silence is waited for once.
 */

import { ANSWERS, type Answer, fields, type Method, type Params } from './methods.ts'

/** Milliseconds for every method. */
export const LIMIT = 15_000

type Call = { type: 'call'; id: string; method: Method; params?: unknown }

type Links = {
  /** Throws where no host listens. */
  send: (call: Call) => void
  /** What the host says, from whom it is believed. */
  hear: (listener: (message: Readonly<Record<string, unknown>>) => void) => void
  /** An id that can't be guessed. */
  newId: () => string
  /** Calls after that many milliseconds; the result stops it. */
  after: (ms: number, run: () => void) => () => void
}

/** What is told beside the method's name. */
type Args<M extends Method> = Params[M] extends undefined ? [] : [params: Params[M]]

export type Bridge = {
  /** Undefined: nothing came that counts. Never rejects. */
  call: <M extends Method>(method: M, ...args: Args<M>) => Promise<Answer<M> | undefined>
}

export function createBridge({ send, hear, newId, after }: Links): Bridge {
  const waiting = new Map<string, (value: unknown) => void>()
  const silent = new Set<Method>()

  hear(({ type, id, value, error }) => {
    if (type !== 'answer' || typeof id !== 'string') return
    // A second or late answer is ignored.
    waiting.get(id)?.(error === undefined || error === null ? { value } : NOTHING)
    waiting.delete(id)
  })

  return {
    async call(method, ...args) {
      if (silent.has(method)) return
      const id = newId()
      const came = await new Promise<unknown>((resolve) => {
        const stop = after(LIMIT, () => {
          waiting.delete(id)
          resolve(NOTHING)
        })
        waiting.set(id, (value) => {
          stop()
          resolve(value)
        })
        try {
          send({ type: 'call', id, method, ...(args.length > 0 ? { params: args[0] } : {}) })
        } catch {
          stop()
          waiting.delete(id)
          resolve(NOTHING)
        }
      })
      const answer =
        came === NOTHING ? undefined : (ANSWERS[method] as (value: unknown) => never)(fields(came).value)
      if (answer === undefined) silent.add(method)
      return answer
    },
  }
}

const NOTHING = Symbol()
