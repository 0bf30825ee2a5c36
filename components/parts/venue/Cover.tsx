import { Photo } from '../../ui/Photo.tsx'
import { PercentBadge } from './PercentBadge.tsx'
import '../../ui/tile.css'

type Props = {
  /** Without one the name's first letter stands for it. */
  image: string | undefined
  name: string
  percent: number | undefined
  eager: boolean
  hero?: boolean
}

/** The picture on top of a tile, whose link covers all of the tile. */
export function Cover({ image, name, percent, eager, hero = false }: Props) {
  return (
    <div>
      {image ? (
        <Photo src={image} kind="card" eager={eager} hero={hero} />
      ) : (
        <span aria-hidden="true">{[...name][0]}</span>
      )}
      <PercentBadge percent={percent} />
    </div>
  )
}
