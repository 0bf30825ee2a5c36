/** What a render costs: in the engine alone, through HTTP, and against the same bundle in Node, from 10 to 2,000 products. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { apart } from '../fragment_cache.mjs'
import { ALL_CORES, load, metrics, run, SERVER_CORE, text } from '../machine.mjs'
import { PAGE, SIZES, UNCACHED } from '../world.mjs'

/** So many products the engine renders alone: the page, and enough to see how it goes on. */
const [SMALL, LARGE, LARGEST] = [PAGE, 1000, 2000]

export async function renders(world) {
  const { row, say, seconds, page, venueOf, ms, rated } = world
  say('one isolate')
  const server = await world.serve(SERVER_CORE, [...UNCACHED, '--isolates', '1'])
  const html = await text(server.web + page)
  if (!html.includes('<h1')) throw new Error('the page came without its HTML')
  await load(server.web + page, { 'Accept-Encoding': 'br' }, { connections: 16, seconds: 3 })
  const many = await renderTime(server.admin, server.web + page, { connections: 16, seconds })
  row(
    `Menu page of ${PAGE} products, rendered per request, 1 isolate, brotli`,
    rated(many),
    `${ms(many.time)} in the engine per render`,
  )
  const alone = await renderTime(server.admin, server.web + page, { connections: 1, seconds })
  row('One connection through HTTP', rated(alone), `${ms(alone.time)} in the engine per render`)
  const pages = new Map()
  for (const size of [SMALL, LARGE, LARGEST]) {
    const url = venueOf(size)
    const data = await text(`${server.web}/_data${url}`, { accept: 'application/json' })
    pages.set(size, { url, ...filed(world, size, data) })
  }
  say('ten to two thousand products')
  const sizes = []
  for (const size of SIZES) {
    const url = server.web + venueOf(size)
    await text(url)
    sizes.push([size, await renderTime(server.admin, url, { connections: 1, seconds: Math.min(seconds, 4) })])
  }
  await server.stop()

  say('the engine alone')
  const engine = await engineAlone(world, [...pages.values()])
  const { snapshot, warm, cold } = engine
  row(
    'Snapshot with the app evaluated',
    `${(snapshot.bytes / 1e6).toFixed(2)} MB`,
    `made in ${ms(snapshot.made)}`,
  )
  row(
    'Isolate from the snapshot: ready / its first page',
    `${ms(warm.ready)} / ${ms(warm.first)}`,
    'warmed before it serves',
  )
  row('The same without warming', `${ms(cold.ready)} / ${ms(cold.first)}`)
  row(
    'The engine without HTTP, 16 renders at a time',
    `${engine.rate.toFixed(0)} renders/s`,
    `heap ${(engine.heap / 2 ** 20).toFixed(0)} MB`,
  )
  const inEngine = new Map([...pages.keys()].map((size, at) => [size, engine.pages[at]]))
  for (const size of [SMALL, LARGEST]) {
    const { shared, bare } = inEngine.get(size)
    if (!shared.reused) throw new Error('nothing was taken from the renders before')
    say(`${size} products looped in Node`)
    const { file } = pages.get(size)
    const node = { shared: await loopInNode(world, file), bare: await loopInNode(world, file, 'bare') }
    const both = (one, other) => `${ms(one.p50)} / ${ms(other.p50)}`
    const tails = (one, other) => `p99 ${ms(one.p99)} / ${ms(other.p99)}`
    row(
      `Render of ${size} products in the engine: with fragments / without, median`,
      both(shared, bare),
      tails(shared, bare),
    )
    row(
      `The same bundle looped in Node ${process.versions.node}`,
      both(node.shared, node.bare),
      tails(node.shared, node.bare),
    )
    const ratio = shared.p50 / node.bare.p50
    row(
      'Engine with fragments against Node without, time per render',
      `${ratio.toFixed(3)} ×`,
      `without fragments in both ${(bare.p50 / node.bare.p50).toFixed(2)} ×; budget: at most 0.3 ×`,
      ratio <= 0.3,
    )
  }
  linear(row, inEngine)
  for (const [size, one] of sizes) {
    row(
      `Menu of ${size} products through HTTP, one connection`,
      `${ms(one.time)} in the engine`,
      `${micros(one.time / size)} a product; ${rated(one)}`,
    )
  }
}

/** Whether each further product costs the same, however many there are; the page around them would hide it in the times as
 * they are. What grows with the square of them would be 2.8. */
function linear(row, inEngine) {
  const time = (size) => inEngine.get(size).shared.p50
  const further = (from, to) => (time(to) - time(from)) / (to - from)
  const [first, last] = [further(SMALL, LARGE), further(LARGE, LARGEST)]
  const each = [SMALL, LARGE, LARGEST].map((size) => micros(time(size) / size))
  row(
    `The engine a product, of ${SMALL} / ${LARGE} / ${LARGEST}, with fragments`,
    each.join(' / '),
    `each further one ${micros(first)}, beyond ${LARGE} ${micros(last)}: ${(last / first).toFixed(2)} ×; budget: at most 1.5 × (linear)`,
    last <= first * 1.5,
  )
}

const micros = (time) => `${(time * 1000).toFixed(2)} µs`

/** Files of a page's data, whole and as the server hands it over. */
function filed({ space, venueOf }, size, data) {
  const { rest, shared } = apart(data)
  const file = (name, content) => {
    const at = path.join(space, `${size}-${name}.json`)
    writeFileSync(at, content)
    return at
  }
  return {
    data: file('data', data),
    rest: file('rest', rest),
    shared: file('shared', shared),
    file: file('page', JSON.stringify({ url: venueOf(size), json: data })),
  }
}

/** A turn of load, and the milliseconds that each of its renders took inside the engine. */
async function renderTime(admin, url, options) {
  const before = await metrics(admin)
  const loaded = await load(url, { 'Accept-Encoding': 'br' }, options)
  const after = await metrics(admin)
  const grown = (name) => after(name) - before(name)
  return { ...loaded, time: grown('ssr_render_microseconds_total') / grown('ssr_renders_total') / 1000 }
}

/** What the engine's own benchmark says: snapshot, start of an isolate, renders without HTTP around them. */
async function engineAlone({ root, web, seconds, profile }, pages) {
  const example = ['--profile', profile, '--locked', '--quiet', '--workspace', '--example', 'bench']
  await run(ALL_CORES, 'cargo', ['build', ...example], { cwd: root })
  const args = pages.flatMap(({ url, data, rest, shared }) => [url, data, rest, shared])
  const bundle = path.join(web, 'server.js')
  // `cargo run` takes no `--workspace`, and with fewer packages it would choose other features and compile all anew.
  const built = path.join(root, 'target', profile, 'examples/bench')
  return JSON.parse(await run(SERVER_CORE, built, [bundle, String(seconds), ...args]))
}

/** The same server bundle looped in this Node, in a process of its own. */
async function loopInNode({ root, web, seconds }, file, ...how) {
  const loop = path.join(root, 'tests/bench/loop.mjs')
  const args = [loop, path.join(web, 'server.js'), file, String(seconds), ...how]
  return JSON.parse(await run(SERVER_CORE, process.execPath, args))
}
