/**
 * What two isolates hold over a million renders: menus for a guest with a cart, without encoding, at all cores. It crosses
 * the change of isolates (`recycle_after`: one of two goes after 375,000 renders of its own). The run ends with 1 if the
 * memory grows after the first tenth, is above its budget, or no isolate was changed.
 *
 * `BENCH_RENDERS` is how many renders there are instead; with fewer none is changed, which is no failure then.
 */
import { fillCart, guest } from '../guest.mjs'
import { ALL_CORES, load, metrics, middle, resident } from '../machine.mjs'
import { MOST_MB } from '../world.mjs'

const MILLION = 1_000_000
const RENDERS = Number(process.env.BENCH_RENDERS ?? MILLION)
const PARTS = 10
/** A turn of load; between two of them all that came is looked through. */
const TURN_S = Math.min(10, Math.ceil(RENDERS / 10_000))
const MOST_GROWTH = 0.05

export async function million({ row, say, page, serve }) {
  const server = await serve(ALL_CORES, ['--isolates', '2', '--catalogue-fresh-ms', '3600000'])
  const who = guest(server.web)
  await fillCart(who, page)
  const headers = { 'Accept-Encoding': 'identity', Cookie: who.cookie() }
  const parts = Array.from({ length: PARTS }, () => [])
  let rendered = 0
  async function look() {
    const of = await metrics(server.admin)
    rendered = of('ssr_renders_total')
    const part = Math.floor((rendered * PARTS) / RENDERS)
    parts[part]?.push(resident(server.pid))
    return of
  }
  const began = performance.now()
  const timer = setInterval(() => look().catch(() => {}), 1000)
  for (let said = -1; rendered < RENDERS; await look()) {
    const part = Math.floor((rendered * PARTS) / RENDERS)
    if (part > said) say(`${rendered} of ${RENDERS} renders, ${resident(server.pid).toFixed(0)} MB`)
    said = part
    await load(server.web + page, headers, { connections: 4, seconds: TURN_S })
  }
  clearInterval(timer)
  const took = (performance.now() - began) / 1000
  const of = await look()
  await server.stop()

  const held = parts.flatMap((part, at) => (part.length > 0 ? [{ at, mb: middle(part) }] : []))
  for (const { at, mb } of held) {
    row(
      `Resident memory, two isolates, from ${(at * RENDERS) / PARTS} to ${((at + 1) * RENDERS) / PARTS} renders`,
      `${mb.toFixed(0)} MB`,
      `most ${Math.max(...parts[at]).toFixed(0)} MB`,
    )
  }
  const later = held.filter(({ at }) => at > 0)
  const slope = slopeOf(later)
  const growth = (slope * (later.length - 1)) / (later[0]?.mb ?? 1)
  const most = Math.max(...held.map(({ mb }) => mb))
  const recycled = of('ssr_recycled_total')
  const unrendered = of('pages_total', 'mode="shell"') + of('admission_refused_total', 'kind="page"')
  const isFlat = growth <= MOST_GROWTH
  const isSmall = most <= MOST_MB
  const isChanged = recycled > 0 || RENDERS < MILLION
  row(
    `Growth after the first ${RENDERS / PARTS} renders, by the slope of the medians`,
    `${(growth * 100).toFixed(1)} %`,
    `${slope.toFixed(2)} MB for each ${RENDERS / PARTS}; budget: ${MOST_GROWTH * 100} %`,
    isFlat,
  )
  row('The highest of the medians', `${most.toFixed(0)} MB`, `budget: ${MOST_MB} MB`, isSmall)
  row('Isolates that were changed meanwhile', String(recycled), 'wanted: at least 1', isChanged)
  row(
    `Rendered in ${(took / 60).toFixed(1)} minutes`,
    String(rendered),
    `${(rendered / took).toFixed(0)}/s; ${unrendered} pages were not`,
  )
  return isFlat && isSmall && isChanged
}

/** The middle of the slopes between any two: a step at the change of an isolate is no growth by itself. */
function slopeOf(points) {
  const slopes = points.flatMap((to, at) =>
    points.slice(0, at).map((from) => (to.mb - from.mb) / (to.at - from.at)),
  )
  return slopes.length > 0 ? middle(slopes) : 0
}
