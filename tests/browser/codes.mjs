/** Films of codes for Chromium's camera of a test: each code in turn, drawn as a printer would. */
import { writeFile } from 'node:fs/promises'
import bwip from 'bwip-js'

const WIDTH = 640
const HEIGHT = 480
/** Pictures a second, and of each code. A slow machine sees several of them, a code comes again with the next round. */
const RATE = 2
const EACH = 6
const WHITE = 235
const BLACK = 16
/** The longest of the codes fills most of the picture. */
const MARGIN = 60

/** Writes the film of these codes, `[symbology, text]` each; one without a symbology is white paper. */
export async function film(file, codes) {
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${RATE}:1 Ip A1:1 C420jpeg\n`
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const frames = codes.flatMap(([symbology, text]) => {
    const picture = drawn(symbology, text)
    return Array.from({ length: EACH }, () => [Buffer.from('FRAME\n'), picture, colours])
  })
  await writeFile(file, Buffer.concat([Buffer.from(header), ...frames.flat()]))
}

/** One grey picture. */
function drawn(symbology, text) {
  const picture = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  if (!symbology) return picture
  const [{ sbs, pixs, pixx, pixy }] = bwip.raw({
    bcid: symbology,
    text,
    // Part of every such code; the drawer leaves it to the caller.
    includecheck: symbology === 'code93',
  })
  const fill = (x, y, width, height) => {
    for (let row = y; row < y + height; row += 1)
      picture.fill(BLACK, row * WIDTH + x, row * WIDTH + x + width)
  }
  if (sbs) {
    const total = sbs.reduce((sum, one) => sum + one, 0)
    const unit = Math.floor((WIDTH - 2 * MARGIN) / total)
    let x = Math.floor((WIDTH - total * unit) / 2)
    sbs.forEach((one, index) => {
      if (index % 2 === 0) fill(x, 140, one * unit, 200)
      x += one * unit
    })
  } else {
    const unit = Math.floor((HEIGHT - 2 * MARGIN) / pixy)
    const [left, top] = [(WIDTH - pixx * unit) >> 1, (HEIGHT - pixy * unit) >> 1]
    for (let row = 0; row < pixy; row += 1)
      for (let column = 0; column < pixx; column += 1)
        if (pixs[row * pixx + column]) fill(left + column * unit, top + row * unit, unit, unit)
  }
  return picture
}
