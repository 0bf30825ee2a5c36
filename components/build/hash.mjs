import { createHash } from 'node:crypto'

/** A short name for contents: 32 bits are plenty for some dozens of files, whose names the first script holds. */
export function hashOf(contents) {
  return createHash('sha256').update(contents).digest('hex').slice(0, 8)
}
