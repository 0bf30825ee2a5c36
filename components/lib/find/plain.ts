/**
 * A text in the letters that are meant: full-width ones are plain, and what can't be seen is left out, such as a byte order
 * mark or a soft hyphen that came with a copied word. The server does the same (`server/finding/src/fold.rs`).
 */
export const plain = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '')
