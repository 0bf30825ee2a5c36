import { createHash } from 'node:crypto'

/** A short name for contents: 40 bits are plenty for some dozens of files. */
export function hashOf(contents) {
  return createHash('sha256').update(contents).digest('hex').slice(0, 10)
}
