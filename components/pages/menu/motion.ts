/** The photo of a dish goes into its sheet and back. */

import type { Motion } from '../../lib/motion/motion.ts'
import type { Shown } from '../../lib/router/navigation.ts'

export function motion(from: Shown, to: Shown): Motion | null {
  const [left, entered] = [dishOf(from), dishOf(to)]
  if (left === entered) return null
  const row = () => photoOfRow(entered ?? left)
  if (left === null) return { name: 'photo', before: row, after: photoOfSheet, isThere: isSheet }
  if (entered === null) return { name: 'photo', before: photoOfSheet, after: row, isThere: () => !isSheet() }
  return null
}

const dishOf = ({ location }: Shown) => new URLSearchParams(location.search).get('item')
const photoOfSheet = () => document.querySelector<HTMLElement>('dialog.sheet > div > img')
const isSheet = () => document.querySelector('dialog.sheet') !== null

/** The photo of the dish that is in sight: a dish may stand in several lists. */
function photoOfRow(id: string | null): HTMLElement | null {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.dish h3 > a')) {
    if (new URLSearchParams(link.search).get('item') !== id) continue
    const photo = link.closest('.dish')?.querySelector<HTMLElement>('img')
    const box = photo?.getBoundingClientRect()
    if (photo && box && box.bottom > 0 && box.top < innerHeight) return photo
  }
  return null
}
