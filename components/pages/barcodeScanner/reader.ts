/** What finds codes in a picture: the browser itself, else a reader of our own, which only comes then (BC-10). */

import { type Format, GOODS, type Read } from './codes.ts'

const FORMATS: readonly Format[] = [...GOODS, 'qr_code']

/** Finds the first code in a picture. Rejects when it can't read at all. */
export type Reader = (picture: ImageData) => Promise<Read | null>

type Detector = { detect: (picture: ImageData) => Promise<{ rawValue: string; format: string }[]> }
type Detectors = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/** `waiting` hears that our own reader is being fetched. Rejects when it does not come. */
export async function createReader(waiting: () => void): Promise<Reader> {
  const native = await nativeReader()
  if (native) return native
  waiting()
  const { createWasmReader } = await import('./wasm-reader.ts')
  return createWasmReader()
}

/** The same without the browser's: it may know the formats and read nothing, where the system lacks a part. */
export async function createOwn(waiting: () => void): Promise<Reader> {
  waiting()
  const { createWasmReader } = await import('./wasm-reader.ts')
  return createWasmReader()
}

async function nativeReader(): Promise<Reader | null> {
  const { BarcodeDetector } = window as { BarcodeDetector?: Detectors }
  if (!BarcodeDetector) return null
  try {
    const known = await BarcodeDetector.getSupportedFormats()
    if (!FORMATS.every((format) => known.includes(format))) return null
    const detector = new BarcodeDetector({ formats: FORMATS })
    return async (picture) => {
      const [found] = await detector.detect(picture)
      return found ? { text: found.rawValue, format: found.format as Format } : null
    }
  } catch {
    return null
  }
}
