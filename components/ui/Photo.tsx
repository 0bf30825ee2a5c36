/**
 * Widths in CSS pixels with the widths that the server makes for 1x, 2x and 3x. Rows have one that is sharp on any phone:
 * on a photo as small as that a choice saves little, and a menu of sixty would be longer by 150 bytes, brotli.
 */
const KINDS = {
  line: { width: 48, height: 48, pixels: [96, 96, 192] },
  row: { width: 112, height: 84, pixels: [288] },
  tile: { width: 160, height: 120, pixels: [192, 360, 540] },
  cover: { width: 360, height: 160, pixels: [360, 720, 1080] },
  card: { width: 360, height: 203, pixels: [360, 720, 1080] },
  wide: { width: 540, height: 405, pixels: [720, 1080, 1080] },
} as const

type Props = {
  /** May hold `{w}`, which stands for the width in pixels. */
  src: string
  kind: keyof typeof KINDS
  /** Among the first that are seen. */
  eager?: boolean
  /** The one big picture of the page. */
  hero?: boolean
}

/** A picture whose name stands beside it. The box is known before it comes. */
export function Photo({ src, kind, eager, hero }: Props) {
  const { width, height, pixels } = KINDS[kind]
  const at = (pixel: number) => src.replace('{w}', String(pixel))
  // The browser's preload of a hero looks at nothing but this list; for the others `src` is the 1x.
  const set = pixels.map((pixel, step) => `${at(pixel)} ${step + 1}x`).slice(hero ? 0 : 1)
  return (
    <img
      src={at(pixels[0])}
      srcSet={src.includes('{w}') ? set.join(', ') || undefined : undefined}
      width={width}
      height={height}
      loading={eager || hero ? undefined : 'lazy'}
      // Low keeps React from preloading each of them.
      fetchPriority={hero ? 'high' : eager ? 'low' : undefined}
      alt=""
    />
  )
}
