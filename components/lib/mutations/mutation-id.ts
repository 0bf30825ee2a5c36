/** A fresh id of a change: 128 random bits in 22 url-safe characters. The server takes each id once. */
export function mutationId(): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) text += String.fromCharCode(byte)
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').slice(0, 22)
}
