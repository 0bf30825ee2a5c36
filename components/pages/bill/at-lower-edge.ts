/** What stays at the lower edge of a bill: the styles know how high it is, so that no field is left under it. */

/** The button that pays, and the words beside it. */
export const payBar = (bar: HTMLElement | null) => tellHeight(bar, '--_bar')

/** News stand above that for a while: the field that the guest is in comes out from under them. */
export function newsBar(bar: HTMLElement | null) {
  const end = tellHeight(bar, '--_news')
  const field = document.activeElement
  if (bar && field && bar.parentElement?.contains(field) && isUnder(field, bar)) {
    field.scrollIntoView({ block: 'nearest' })
  }
  return end
}

function tellHeight(bar: HTMLElement | null, name: '--_bar' | '--_news') {
  const page = bar?.closest<HTMLElement>('.bill')
  if (!bar || !page) return
  const tell = () => page.style.setProperty(name, `${bar.offsetHeight}px`)
  tell()
  const sizes = new ResizeObserver(tell)
  sizes.observe(bar)
  return () => {
    sizes.disconnect()
    page.style.removeProperty(name)
  }
}

function isUnder(field: Element, bar: Element): boolean {
  const [below, above] = [field.getBoundingClientRect(), bar.getBoundingClientRect()]
  return below.bottom > above.top && below.top < above.bottom
}
