/** The panel of developers: in a page that has ours in a frame, and nowhere else (HB-15, DB-09). */

import type { PageData } from '../../lib/page-data.ts'
import type { DebugProps } from './overlay.tsx'
import { createRecorder } from './recorder.ts'

/** `over` lays it over the app. */
export async function begin(
  { shell }: PageData,
  over: (id: 'debug', props: DebugProps) => Promise<Element>,
): Promise<void> {
  const { lang, fallback } = shell
  await over('debug', { recorder: createRecorder(globalThis), lang, fallback })
}
