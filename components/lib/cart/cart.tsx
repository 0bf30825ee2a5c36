/** The cart and the changes under way, as pages use them. */

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
import { type CartSnapshot, type CartStore, isOrdered, type SendOptions } from './store.ts'

export const CartContext = createContext<CartStore | null>(null)

function useStore(): CartStore {
  const store = useContext(CartContext)
  if (!store) throw new Error('useCart stands outside of CartContext')
  return store
}

/**
 * The cart as shown now: `cart` is the server's last word (sums come from nowhere else), the quantities are with
 * what the guest just tapped.
 */
export function useCart(): CartSnapshot {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, store.snapshot, store.serverSnapshot)
}

export type Mutation = {
  status: 'idle' | 'sending' | 'failed'
  /** Errors of the last answer by field; `form` for the whole. Codes are in the contract of the forms. */
  errors: FieldError[]
  /** For `<form method="post" action={actions.…} onSubmit={mutation.submit}>`: sends it in the queue instead. */
  submit: (event: FormEvent<HTMLFormElement>) => Promise<MutationAnswer | null>
  /** Sends a change without a form. Null: it failed, `errors` says why. */
  send: (
    action: string,
    fields: Record<string, string>,
    options?: SendOptions,
  ) => Promise<MutationAnswer | null>
  /** Forgets the errors. */
  reset: () => void
}

type MutationOptions = SendOptions & {
  /** Its component has no room for errors: the news tell them. */
  mute?: boolean
}

/** One form's way to change the cart, the session or to place the order. All forms share one serial queue. */
export function useMutation({ mute, ...options }: MutationOptions = {}): Mutation {
  const store = useStore()
  const here = useRef(false)
  const [state, setState] = useState<{ status: Mutation['status']; errors: FieldError[] }>(IDLE)

  // What fails after the form has gone is told by the news instead.
  useEffect(() => {
    here.current = !mute
    return () => {
      here.current = false
    }
  }, [mute])

  async function run(
    action: string,
    body: URLSearchParams,
    own?: SendOptions,
  ): Promise<MutationAnswer | null> {
    setState(SENDING)
    const outcome = await store.send(action, body, { ...(own ?? options), mounted: () => here.current })
    const { errors } = outcome
    // An order that is made is under way until its page is there.
    setState(errors.length > 0 ? { status: 'failed', errors } : isOrdered(action, outcome) ? SENDING : IDLE)
    return outcome.errors.length > 0 ? null : outcome.answer
  }

  return {
    ...state,
    submit(event) {
      event.preventDefault()
      const form = event.currentTarget
      return run(form.getAttribute('action') ?? '', formBody(form, event.nativeEvent))
    },
    send: (action, fields, own) => run(action, new URLSearchParams(fields), own),
    reset: () => setState(IDLE),
  }
}

const IDLE: { status: 'idle'; errors: FieldError[] } = { status: 'idle', errors: [] }
const SENDING: { status: 'sending'; errors: FieldError[] } = { status: 'sending', errors: [] }

/** The fields of a form as the browser itself would post them, with the pressed button. */
function formBody(form: HTMLFormElement, event: Event): URLSearchParams {
  const data = new FormData(form)
  const button = event instanceof SubmitEvent ? event.submitter : null
  const name = button?.getAttribute('name')
  if (name) data.set(name, button?.getAttribute('value') ?? '')
  const body = new URLSearchParams()
  for (const [key, value] of data) if (typeof value === 'string') body.append(key, value)
  return body
}
