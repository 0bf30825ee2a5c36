/** What two isolates hold after ten thousand renders. They have all cores: two do not render on one at the same time. */
import { ALL_CORES, load, metrics, resident, text } from '../machine.mjs'
import { MOST_MB, PAGE, UNCACHED } from '../world.mjs'

const RENDERS = 10_000

export async function memory({ row, say, seconds, page, rated, serve }) {
  say('two isolates')
  const server = await serve(ALL_CORES, [...UNCACHED, '--isolates', '2'])
  const url = server.web + page
  const brotli = { 'Accept-Encoding': 'br' }
  await text(url)
  await load(url, brotli, { connections: 16, seconds: Math.min(seconds, 3) })
  const loaded = await load(url, brotli, { connections: 16, seconds })
  row(
    `Menu page of ${PAGE} products, rendered per request, 2 isolates, brotli`,
    rated(loaded),
    'the load on the same cores',
  )
  say('memory after ten thousand renders')
  const rendered = async () => (await metrics(server.admin))('ssr_renders_total')
  const missing = RENDERS - (await rendered())
  if (missing > 0) {
    await load(url, brotli, { connections: 16, seconds: Math.ceil(missing / loaded.rate) + 1 })
  }
  const held = resident(server.pid)
  row(
    `Resident memory, two isolates, after ${await rendered()} renders`,
    `${held.toFixed(0)} MB`,
    `budget: ${MOST_MB} MB`,
    held <= MOST_MB,
  )
  await server.stop()
}
