import { sprite } from './sprite.ts'

type Props = { name: string }

/** A sign of the sprite (`icons.json` lists what is in it). It stands beside text and says nothing itself. */
export function Icon({ name }: Props) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
