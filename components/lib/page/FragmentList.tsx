import { useContext } from 'react'
import { type FragmentItem, FragmentsContext } from './fragments.ts'

/** Parts of a page one after the other. Those that look alike to every guest the server renders once for all. */
export function FragmentList({ items }: { items: readonly FragmentItem[] }) {
  const fragments = useContext(FragmentsContext)
  return fragments ? fragments.row(items) : items.map(({ node }) => node)
}
