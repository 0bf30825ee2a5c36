/** A form's way to change something on the server without a load. */

import {
  createContext,
  type FormEvent,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { FieldError, MutationAnswer } from '../page-data.ts'
import { createMutations, type News, type SendOptions } from './mutations.ts'

/** Forms about the table of the visit: the last word counts. */
export const TABLE_LANE = 'table'
/** Forms that choose a town. */
export const TOWN_LANE = 'town'

/** Outside of a page nothing is sent. */
export const MutationsContext = createContext(createMutations())

/** What changes came to that no form tells. */
export function useNews(): News & { dismiss: () => void } {
  const { subscribe, news, dismiss } = useContext(MutationsContext)
  return { ...useSyncExternalStore(subscribe, news, news), dismiss }
}

export type Mutation = {
  status: 'idle' | 'sending' | 'failed'
  /** Errors of the last answer by field; `form` for the whole. */
  errors: FieldError[]
  /** For `<form method="post" action={actions.…} onSubmit={mutation.submit}>`: sends it without a load instead. */
  submit: (event: FormEvent<HTMLFormElement>) => Promise<MutationAnswer | null>
  /** Sends a change without a form. Null: it failed, `errors` says why. */
  send: (action: string, fields: Record<string, string>) => Promise<MutationAnswer | null>
}

export type MutationOptions = Omit<SendOptions, 'mounted'> & {
  /** Its component has no room for errors: the news tell them until the same goes well. */
  mute?: boolean
  /** It is under way until the page is there to which its answer leads. */
  untilPage?: boolean
}

/** One form's way to change something, in a lane of its own or in one that it names. */
export function useMutation({ mute, untilPage, ...options }: MutationOptions = {}): Mutation {
  const mutations = useContext(MutationsContext)
  const here = useRef(false)
  const underWay = useRef(0)
  const [own] = useState(() => Symbol())
  const [state, setState] = useState<{ status: Mutation['status']; errors: FieldError[] }>(IDLE)

  // What fails after the form has gone is told by the news instead.
  useEffect(() => {
    here.current = !mute
    return () => {
      here.current = false
    }
  }, [mute])

  async function run(action: string, body: URLSearchParams): Promise<MutationAnswer | null> {
    underWay.current++
    setState(SENDING)
    const { answer, errors } = await mutations.send(action, body, {
      lane: own,
      ...options,
      mounted: () => here.current,
    })
    const isLeaving = untilPage && answer?.redirect
    // A page that comes out of the browser's memory waits for none any more.
    if (isLeaving) addEventListener('pageshow', () => setState(IDLE), { once: true })
    const isOther = --underWay.current > 0
    if (errors.length > 0) setState({ status: isOther ? 'sending' : 'failed', errors })
    else setState(isLeaving || isOther ? SENDING : IDLE)
    return errors.length > 0 ? null : answer
  }

  return {
    ...state,
    submit(event) {
      event.preventDefault()
      const form = event.currentTarget
      return run(form.getAttribute('action') ?? '', formBody(form, event.nativeEvent))
    },
    send: (action, fields) => run(action, new URLSearchParams(fields)),
  }
}

const IDLE: { status: 'idle'; errors: FieldError[] } = { status: 'idle', errors: [] }
const SENDING: { status: 'sending'; errors: FieldError[] } = { status: 'sending', errors: [] }

/** The fields of a form as the browser itself would post them, with the pressed button. */
function formBody(form: HTMLFormElement, event: Event): URLSearchParams {
  const data = new FormData(form)
  const button = event instanceof SubmitEvent ? event.submitter : null
  if (button instanceof HTMLButtonElement && button.name) data.set(button.name, button.value)
  const body = new URLSearchParams()
  for (const [key, value] of data) if (typeof value === 'string') body.append(key, value)
  return body
}
