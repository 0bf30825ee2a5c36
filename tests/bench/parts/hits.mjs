/** Kept pages against a static file of their size, by turns: the machine's speed drifts within a run. */
import { randomBytes } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { get, load, metrics, middle, SERVER_CORE, text, used } from '../machine.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const KEPT = ['--page-fresh-ms', '600000', '--catalogue-fresh-ms', '600000']
const LEAST_RATE = 60_000
const LEAST_SHARE = 0.95

export async function hits({ row, say, seconds, space, web, page, rated, serve }) {
  say('page cache against a static file')
  const cached = await serve(SERVER_CORE, KEPT)
  await text(cached.web + page)
  await pause(1_000)
  const { length } = (await get(cached.web + page, { 'accept-encoding': 'br' })).body
  await cached.stop()
  const withFile = path.join(space, 'web-file')
  cpSync(web, withFile, { recursive: true })
  writeFileSync(path.join(withFile, 'public/static/bench.bin'), randomBytes(length))
  const server = await serve(SERVER_CORE, [...KEPT, '--web-dir', withFile])
  // It is kept once all that it shows is there.
  const asking = `${page}?lang=ru`
  for (const address of [page, asking])
    for (let turn = 0; turn < 3; turn++) await get(server.web + address, { 'accept-encoding': 'br' })
  await pause(1_000)

  async function turn(address, encoding) {
    const before = used(server.pid)
    const time = Math.min(seconds, 4)
    const loaded = await load(
      server.web + address,
      { 'Accept-Encoding': encoding },
      { connections: 16, seconds: time },
    )
    const cpu = used(server.pid) - before
    return { ...loaded, cpu, share: cpu / time }
  }
  const rendersBefore = (await metrics(server.admin))('ssr_renders_total')
  await turn(page, 'br')
  const turns = { page: [], file: [], asking: [] }
  for (let round = 0; round < ROUNDS; round++) {
    turns.page.push(await turn(page, 'br'))
    turns.file.push(await turn('/static/bench.bin', 'identity'))
    turns.asking.push(await turn(asking, 'br'))
  }
  const rendered = (await metrics(server.admin))('ssr_renders_total') - rendersBefore
  await server.stop()
  const of = (who) => {
    const rate = middle(turns[who].map((one) => one.rate))
    return turns[who].find((one) => one.rate === rate)
  }
  // Where the server has time left, it is the load generator that is measured.
  const cost = ({ cpu, count, share }) =>
    `${((cpu / count) * 1e6).toFixed(1)} µs of CPU each, ${(share * 100).toFixed(0)} % of its core taken`
  const [hit, file] = [of('page'), of('file')]
  row(
    `Kept page, ${length} bytes of brotli, middle of ${ROUNDS}`,
    rated(hit),
    `${cost(hit)}, ${rendered} renders meanwhile; budget: ${LEAST_RATE}/s`,
    hit.rate >= LEAST_RATE,
  )
  row('The same by a link that names its language', rated(of('asking')), cost(of('asking')))
  row('Static file of the same size, same server, by turns', rated(file), cost(file))
  const ratio = middle(turns.page.map((one, at) => one.rate / turns.file[at].rate))
  row(
    'Kept page against static file, rate',
    `${ratio.toFixed(2)} ×`,
    `budget: at least ${LEAST_SHARE} ×`,
    ratio >= LEAST_SHARE,
  )
}
