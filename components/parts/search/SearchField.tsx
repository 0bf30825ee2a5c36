import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useNavigationType } from 'react-router'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths, withQuery } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Marked } from './Marked.tsx'
import { SearchHistory } from './SearchHistory.tsx'
import { useSearchTyping } from './search-typing.ts'
import './search-form.css'
import './search-field.css'

type Props = {
  /** The page of the results; the query is put into its address. */
  action: string
  /** What the page shows results of. */
  query?: string
  /** Only of this brand (SE-10). */
  brand?: number | null
  /** What is looked for on the map instead; null: there is no way to it (SE-02). */
  onMap?: string | null
  /** What the form sends beside the query. */
  fields?: Readonly<Record<string, string | number>>
  /** Where Cancel leads. Without it there is no Cancel. */
  leave?: string
  /** The page is about searching: history and prompt stand in the page, not over it. */
  inline?: boolean
  /** Instead of what is asked for elsewhere: in the empty field, and under it. */
  placeholder?: string
  prompt?: string
  /** Lines that complete the text. */
  suggests?: boolean
  /** The guest came to write: the field has the focus as soon as the page is there. */
  focused?: boolean
  /** Instead of going on to where Cancel leads. */
  onLeave?: () => void
  /** After a pause in typing, and at once when the text is gone. */
  onUpdate?: (text: string) => void
  /** Instead of opening the page of the results. */
  onSubmit?: (text: string) => void
}

/** The search field of all pages: a plain form without scripts, a combobox with them (SE-01). */
export function SearchField(props: Props) {
  const { action, query = '', brand = null, fields = {}, leave, inline = false, suggests = true } = props
  const { focused = false, onLeave, onMap = query } = props
  const t = useText()
  const id = useId()
  const navigate = useNavigate()
  const [inside, setInside] = useState(false)
  const addressOf = (text: string) => withQuery(action, { q: text, brand, ...fields })
  const unfiltered = withQuery(action, { brand, ...fields })
  const field = useSearchTyping({
    query,
    brand,
    suggests,
    onUpdate: props.onUpdate,
    onSubmit: props.onSubmit ?? ((text) => navigate(addressOf(text))),
    onLeave: () => {
      if (onLeave) onLeave()
      else if (leave) navigate(leave)
    },
  })
  const { items, active } = field
  useFocus(field.input, focused)
  const isOpen = items.length > 0 && inside
  const isBlank = field.text.trim() === ''

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    // The input method has the keys now, Enter too.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && isOpen) {
      event.preventDefault()
      const count = items.length + 1
      field.setActive(((active + 1 + step + count) % count) - 1)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      field.close()
    }
  }

  function submit(): void {
    const chosen = isOpen ? items[active] : undefined
    if (chosen) field.submit(chosen.text, 'suggestion')
    else if (isBlank) showAll()
    else field.submit(field.input.current?.value ?? '', 'submit')
    if (!isBlank) field.input.current?.blur()
  }

  /** A page that follows the typing knows by itself that the text is gone. */
  function showAll(): void {
    if (query !== '' && !props.onUpdate) navigate(unfiltered)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears where the focus goes
    <div
      className="seek"
      data-inline={inline || undefined}
      onFocus={() => setInside(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setInside(false)
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: <search> is not known to the oldest browsers that we serve */}
      <form
        role="search"
        method="get"
        action={action}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Hidden fields={brand === null ? fields : { ...fields, brand }} />
        <button type="submit" aria-label={t('search.label')}>
          <Icon name="search" />
        </button>
        <input
          ref={field.input}
          type="text"
          inputMode="search"
          name="q"
          role="combobox"
          aria-label={t('search.label')}
          aria-expanded={isOpen}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active >= 0 ? `${id}o${active}` : undefined}
          defaultValue={query}
          // biome-ignore lint/a11y/noAutofocus: who opens the search of a menu has come to write
          autoFocus={focused}
          maxLength={80}
          placeholder={props.placeholder ?? t('search.placeholder')}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => field.change(event.target.value)}
          onCompositionStart={field.composing}
          onCompositionEnd={(event) => field.composed(event.currentTarget.value)}
          onKeyDown={press}
        />
        {field.text === '' ? null : (
          <Link
            className="seek-clear"
            to={unfiltered}
            aria-label={t('search.clear')}
            onClick={(event) => {
              event.preventDefault()
              field.clear()
              showAll()
            }}
          />
        )}
        <div id={`${id}list`} role="listbox" aria-label={t('search.suggestions')} hidden={!isOpen}>
          {items.map((item, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a combobox are heard by its input
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={item.text}
              id={`${id}o${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                field.submit(item.text, 'suggestion')
                field.input.current?.blur()
              }}
            >
              <Icon name={item.kind === 'product' ? 'utensils' : item.kind ? 'store' : 'search'} />
              <span>
                <Marked text={item.text} query={field.text} />
              </span>
            </div>
          ))}
        </div>
      </form>
      {leave ? (
        <Link
          className="link"
          to={leave}
          onClick={(event) => {
            if (isPlain(event)) field.cancel()
          }}
        >
          {t('search.cancel')}
        </Link>
      ) : null}
      {onMap === null ? null : (
        <Link className="seek-map" to={paths.map({ q: onMap })} aria-label={t('search.onMap')}>
          <Icon name="map-pin" />
        </Link>
      )}
      {/* In the page it goes together with the results that take its place, so that nothing jumps. */}
      {(inline ? query === '' : isBlank && inside && field.history.length > 0) ? (
        <SearchHistory
          silent={!isBlank}
          history={field.history}
          prompt={props.prompt ?? t('search.prompt')}
          addressOf={addressOf}
          onTap={(event, text) => {
            if (isPlain(event)) field.submit(text, 'history')
          }}
          onChange={field.setHistory}
        />
      ) : null}
    </div>
  )
}

/** A page that comes gives the focus to its heading; the field takes it after that. Back does not ask for it. */
function useFocus(input: RefObject<HTMLInputElement | null>, focused: boolean): void {
  const way = useNavigationType()
  const wanted = useRef(focused && way !== 'POP')
  // Focus is the browser's.
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    queueMicrotask(() => input.current?.focus({ preventScroll: true }))
  }, [input])
}

/** A plain tap is ours; one with a key or another button opens the link as the browser does. */
function isPlain(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}
