import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '../../lib/text/text.tsx'
import { Icon } from '../../ui/Icon.tsx'
import './shelf.css'

type Props = {
  id: string
  name: string
  /** Beside the heading. */
  tools: ReactNode
  children: ReactNode
  list?: RefObject<HTMLUListElement | null>
  /** Pixels that it keeps at least, so that other cards move nothing. */
  height?: number
}

type Edges = { start: boolean; end: boolean }

/**
 * A row that scrolls sideways by finger, wheel and keys. Where a mouse may want more, arrows come once the browser
 * has measured that there is something to scroll to.
 */
export function Shelf({ id, name, tools, children, list: given, height }: Props) {
  const t = useText()
  const own = useRef<HTMLUListElement>(null)
  const list = given ?? own
  const [edges, setEdges] = useState<Edges | null>(null)

  // Sizes and positions are the browser's.
  useEffect(() => {
    const element = list.current
    if (!element) return
    const stop = new AbortController()
    function measure(): void {
      if (element) setEdges((before) => sameEdges(before, edgesOf(element)))
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { signal: stop.signal, passive: true })
    return () => {
      stop.abort()
      sizes.disconnect()
    }
  }, [list])

  function go(pages: -1 | 1): void {
    // How it moves, if at all, is in the style sheet.
    list.current?.scrollBy({ left: pages * list.current.clientWidth * 0.8 })
  }

  return (
    <section className="shelf" aria-labelledby={id}>
      <div>
        <h2 id={id}>{name}</h2>
        {tools}
        {edges ? (
          <span className="arrows">
            <Arrow
              icon="chevron-left"
              label={t('home.scrollBack', { rail: name })}
              off={edges.start}
              go={() => go(-1)}
            />
            <Arrow
              icon="chevron-right"
              label={t('home.scrollOn', { rail: name })}
              off={edges.end}
              go={() => go(1)}
            />
          </span>
        ) : null}
      </div>
      <ul style={height ? { minBlockSize: height } : undefined} ref={list}>
        {children}
      </ul>
    </section>
  )
}

type ArrowProps = { icon: string; label: string; off: boolean; go: () => void }

/** At the end it keeps the focus and does nothing. */
function Arrow({ icon, label, off, go }: ArrowProps) {
  return (
    <button type="button" aria-label={label} aria-disabled={off || undefined} onClick={off ? undefined : go}>
      <Icon name={icon} />
    </button>
  )
}

/** Null: everything is in sight. */
function edgesOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): Edges | null {
  if (scrollWidth <= clientWidth + 1) return null
  return { start: scrollLeft <= 1, end: scrollLeft + clientWidth >= scrollWidth - 1 }
}

function sameEdges(before: Edges | null, now: Edges | null): Edges | null {
  return before?.start === now?.start && before?.end === now?.end ? before : now
}
