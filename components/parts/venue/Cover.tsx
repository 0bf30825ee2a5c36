import { useText } from '../../lib/text/text.tsx'
import { Photo } from '../../ui/Photo.tsx'
import '../../ui/badge.css'
import '../../ui/tile.css'

type Props = {
  /** Without one the name's first letter stands for it. */
  image: string | undefined
  name: string
  promo: boolean
  eager: boolean
}

/** The picture on top of a tile, whose link covers all of the tile. */
export function Cover({ image, name, promo, eager }: Props) {
  const t = useText()
  return (
    <div>
      {image ? (
        <Photo src={image} kind="card" eager={eager} />
      ) : (
        <span aria-hidden="true">{[...name][0]}</span>
      )}
      {promo ? <em className="badge">{t('venue.promo')}</em> : null}
    </div>
  )
}
