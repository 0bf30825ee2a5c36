/** The list beside the map: it follows the picked venue, and on a phone the venue that it was swiped to is picked. */

import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A swipe has ended after this long without a scroll (milliseconds), in browsers without `scrollend`. */
const REST = 150

type MapList = {
  ref: RefObject<HTMLUListElement | null>
  onScroll(): void
  /** Picks a venue and shows its card. */
  pick(id: number): void
}

export function useMapList(picked: number | null, setPicked: (id: number) => void): MapList {
  const ref = useRef<HTMLUListElement>(null)
  const own = useRef(false)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)

  function show(id: number, behavior: ScrollBehavior): void {
    const list = ref.current
    const card = list?.querySelector<HTMLElement>(`[data-id="${id}"]`)
    if (!list || !card) return
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    own.current = true
    list.scrollTo({
      left: card.offsetLeft - (list.clientWidth - card.clientWidth) / 2,
      top: card.offsetTop - (list.clientHeight - card.clientHeight) / 2,
      behavior: still ? 'instant' : behavior,
    })
    arrive()
  }

  function arrive(): void {
    clearTimeout(rest.current)
    rest.current = setTimeout(() => {
      if (!own.current) pickMiddle()
      own.current = false
    }, REST)
  }

  /** Only where the cards lie beside each other: a long list is read, not swiped. */
  function pickMiddle(): void {
    const list = ref.current
    if (!list || list.scrollWidth <= list.clientWidth) return
    const middle = list.scrollLeft + list.clientWidth / 2
    const off = (card: HTMLElement) => Math.abs(card.offsetLeft + card.clientWidth / 2 - middle)
    const nearest = [...list.querySelectorAll<HTMLElement>('[data-id]')].sort((a, b) => off(a) - off(b))[0]
    if (nearest) setPicked(Number(nearest.dataset.id))
  }

  const begin = useEffectEvent(() => {
    if (picked !== null) show(picked, 'instant')
  })
  // Where the list stands is the browser's. A venue picked by the address is shown at once.
  useEffect(() => {
    begin()
    return () => clearTimeout(rest.current)
  }, [])

  return {
    ref,
    onScroll: arrive,
    pick(id) {
      setPicked(id)
      show(id, 'smooth')
    },
  }
}
