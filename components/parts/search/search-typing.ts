import { useEffect, useRef, useState } from 'react'
import { type GuestEvent, track } from '../../lib/browser/events.ts'
import { plain } from '../../lib/find/plain.ts'
import type { Suggestion } from '../../lib/page-data.ts'
import { readHistory, remember } from './search-history.ts'
import { fetchSuggestions } from './suggest.ts'
import { createTyping, type Typing } from './typing.ts'

type Options = {
  /** What the page shows results of. */
  query: string
  brand: number | null
  suggests: boolean
  onUpdate: ((text: string) => void) | undefined
  onSubmit: (text: string) => void
  onLeave: () => void
}

type Via = Extract<GuestEvent, { name: 'searchConfirmed' }>['via']

/** The field's text, its history and its suggestions. The input itself is the browser's: typing never waits for us. */
export function useSearchTyping(options: Options) {
  const input = useRef<HTMLInputElement>(null)
  const now = useRef({ ...options, look })
  const requested = useRef(options.query)
  const submitted = useRef(options.query)
  const pending = useRef<AbortController>(undefined)
  const typing = useRef<Typing>(undefined)
  const [text, setText] = useState(options.query)
  const [history, setHistory] = useState<string[]>([])
  const [offered, setOffered] = useState<{ query: string; items: Suggestion[] }>(NOTHING)
  const [active, setActive] = useState(-1)

  // Timers and requests call what the newest render was given.
  useEffect(() => {
    now.current = { ...options, look }
  })

  // Storage, the timer and the request are outside of React. What was typed before hydration counts, too.
  useEffect(() => {
    setHistory(readHistory())
    const own = createTyping({
      paused: (value) => now.current.look(value),
      emptied: () => now.current.look(''),
    })
    own.stop(requested.current)
    typing.current = own
    const typed = input.current?.value ?? ''
    setText(typed)
    own.changed(typed)
    return () => {
      own.stop()
      pending.current?.abort()
    }
  }, [])

  // Back, forward or a link have requested for something else: the field follows.
  useEffect(() => {
    if (options.query === requested.current) return
    requested.current = options.query
    submitted.current = options.query
    if (input.current) input.current.value = options.query
    setText(options.query)
    typing.current?.stop(options.query)
  }, [options.query])

  function write(value: string): void {
    if (input.current) input.current.value = value
    setText(value)
  }

  function close(): void {
    pending.current?.abort()
    setOffered(NOTHING)
    setActive(-1)
  }

  /** After the pause, or at once for an empty text. */
  function look(value: string): void {
    close()
    requested.current = value
    now.current.onUpdate?.(value)
    if (value === '' || !now.current.suggests) return
    const request = new AbortController()
    pending.current = request
    void fetchSuggestions(value, now.current.brand, request.signal).then((items) => {
      if (!request.signal.aborted) setOffered({ query: value, items })
    })
  }

  function change(value: string): void {
    setText(value)
    // Suggestions of another text would be wrong by now.
    if (plain(value).trim() !== offered.query) close()
    typing.current?.changed(value)
  }

  function submit(value: string, via: Via): void {
    const trimmed = plain(value).trim()
    if (trimmed === '') return
    typing.current?.stop(trimmed)
    close()
    write(trimmed)
    requested.current = trimmed
    submitted.current = trimmed
    setHistory(remember(trimmed))
    track({ name: 'searchConfirmed', via })
    now.current.onSubmit(trimmed)
  }

  /** Back to what was submitted last; when that is what stands here, the guest wants to leave (SE-06). */
  function cancel(): void {
    const value = input.current?.value ?? ''
    typing.current?.stop(submitted.current)
    close()
    if (plain(value).trim() === submitted.current) {
      now.current.onLeave()
      return
    }
    write(submitted.current)
    requested.current = submitted.current
    now.current.onUpdate?.(submitted.current)
  }

  function clear(): void {
    write('')
    change('')
    input.current?.focus()
  }

  return {
    input,
    text,
    history,
    setHistory,
    items: offered.items,
    active,
    setActive,
    close,
    change,
    submit,
    cancel,
    clear,
    composing: () => typing.current?.composing(),
    composed: (value: string) => {
      setText(value)
      typing.current?.composed(value)
    },
  }
}

const NOTHING: { query: string; items: Suggestion[] } = { query: '', items: [] }
