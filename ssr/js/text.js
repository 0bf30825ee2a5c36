// TextEncoder and TextDecoder, UTF-8 only, and performance.now.
(() => {
  const { encode, decode } = Deno.core
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  define(
    'TextEncoder',
    class TextEncoder {
      encoding = 'utf-8'
      encode(text = '') {
        return encode(String(text))
      }
      encodeInto(text, target) {
        let read = 0
        let written = 0
        for (const letter of String(text)) {
          const bytes = encode(letter)
          if (written + bytes.length > target.length) break
          target.set(bytes, written)
          written += bytes.length
          read += letter.length
        }
        return { read, written }
      }
    },
  )

  define(
    'TextDecoder',
    class TextDecoder {
      encoding = 'utf-8'
      constructor(label = 'utf-8') {
        if (!/^\s*utf-?8\s*$/i.test(label)) throw new RangeError(`no decoder for ${label}`)
      }
      decode(bytes = new Uint8Array()) {
        return ArrayBuffer.isView(bytes)
          ? decode(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
          : decode(new Uint8Array(bytes))
      }
    },
  )

  // Time comes with the data. A clock that stands still keeps equal renders equal.
  define('performance', { now: () => 0, timeOrigin: 0, mark() {}, measure() {} })
})()
