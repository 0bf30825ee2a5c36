import type { FrontTexts } from '../../lib/page-data.ts'

/** What a brand with a host name of its own says below the heading of its front. */
export function Lead({ front }: { front: FrontTexts | undefined }) {
  return front?.lead ? <p className="soft">{front.lead}</p> : null
}
