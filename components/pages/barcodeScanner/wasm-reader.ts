/** ZXing as WebAssembly, from our own server: its package would fetch it from a CDN. */

import { wasm } from 'build:scanner'
import { prepareZXingModule, type ReadOutputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader'
import type { Format, Read } from './codes.ts'

const NAMES = {
  EAN13: 'ean_13',
  EAN8: 'ean_8',
  Code128: 'code_128',
  Code39: 'code_39',
  Code93: 'code_93',
  ITF: 'itf',
  UPCA: 'upc_a',
  UPCE: 'upc_e',
  QRCode: 'qr_code',
} as const satisfies Record<string, Format>

type Name = keyof typeof NAMES

const FORMATS = Object.keys(NAMES) as Name[]

const isKnown = (name: string): name is Name => name in NAMES

export async function createWasmReader(): Promise<(picture: ImageData) => Promise<Read | null>> {
  await prepareZXingModule({ overrides: { locateFile: () => wasm.url }, fireImmediately: true })
  return async (picture) => {
    const [found] = await readBarcodes(picture, { formats: FORMATS, tryHarder: true, maxNumberOfSymbols: 1 })
    const name: ReadOutputBarcodeFormat | '' = found?.isValid ? found.format : ''
    return found && isKnown(name) ? { text: found.text, format: NAMES[name] } : null
  }
}
