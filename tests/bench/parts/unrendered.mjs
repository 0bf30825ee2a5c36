/**
 * How many pages are sent without being rendered at 16, 64 and 256 connections, by a server with its own limits: shells
 * with 200, and refusals. What each would wait is the connections times what a page takes of the server's one core, all
 * of it: how many came of 16 connections says that.
 */
import { fillCart, guest } from '../guest.mjs'
import { load, metrics, SERVER_CORE } from '../machine.mjs'
import { PAGE } from '../world.mjs'

const CONNECTIONS = [16, 64, 256]
/** Below it none may be left; it is what RENDER_WAIT_MS is by default. */
const WAIT_MS = 200

export async function unrendered({ row, say, seconds, page, ms, serve }) {
  const env = { RENDER_WAIT_MS: undefined, LOG: 'off' }
  const server = await serve(SERVER_CORE, ['--isolates', '1', '--catalogue-fresh-ms', '600000'], { env })
  const who = guest(server.web)
  await fillCart(who, page)
  const headers = { 'Accept-Encoding': 'gzip, deflate, br', Cookie: who.cookie() }
  await load(server.web + page, headers, { connections: 4, seconds: 2 })
  let pageMs
  for (const connections of CONNECTIONS) {
    say(`pages that are not rendered, ${connections} connections`)
    const before = await metrics(server.admin)
    const { failed, cut, p50, p99, count } = await load(server.web + page, headers, {
      connections,
      seconds,
      mayFail: true,
    })
    const after = await metrics(server.admin)
    const grown = (name, label) => after(name, label) - before(name, label)
    const shells = grown('pages_total', 'mode="shell"')
    const refused = grown('admission_refused_total', 'kind="page"')
    // What was refused as the turn ended is counted by the server alone.
    const others = Math.max(0, failed - refused)
    const missing = shells + refused + others + cut
    pageMs ??= (seconds * 1000) / (count - failed - shells)
    const wait = connections * pageMs
    row(
      `Menu of ${PAGE} products with session and cart at ${connections} connections: not rendered`,
      `${missing} of ${count + cut}`,
      `${shells} shells (${grown('ssr_overloaded_total')} overloaded), ${refused} refused, ${others + cut} other; ` +
        `expected wait ${ms(wait)} (${connections} × ${ms(pageMs)}), p50 ${ms(p50)}, p99 ${ms(p99)}; ` +
        `wanted: 0 below ${WAIT_MS} ms`,
      missing === 0 || wait >= WAIT_MS,
    )
  }
  await server.stop()
}
