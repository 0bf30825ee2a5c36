/** Whether files have changed since the build before. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The same text as long as no file of a folder whose name fits has come, gone or been written. */
export function stampOf(folder, pattern = /./) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    pattern.test(name),
  )
  return names
    .map((name) => {
      const { mtimeMs, size } = statSync(join(folder, name))
      return `${name} ${mtimeMs} ${size}`
    })
    .join()
}
