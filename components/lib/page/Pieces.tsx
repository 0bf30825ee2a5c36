import { useContext } from 'react'
import { FragmentsContext, type Piece } from './fragments.ts'

/** Pieces of a page one after the other. Those that look alike to every guest the server renders once for all. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  const fragments = useContext(FragmentsContext)
  return fragments ? fragments.row(pieces) : pieces.map(({ node }) => node)
}
