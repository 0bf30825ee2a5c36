/**
 * Renders one page over and over with the product's server bundle in this Node: loop.mjs SERVER_JS DATA SECONDS [bare]
 * `bare`: nothing is taken from the render before, as any app would render.
 */
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { apart, fragmentCache } from './fragment_cache.mjs'

const [bundle, file, seconds, bare] = process.argv.slice(2)
const { url, json: data } = JSON.parse(readFileSync(file, 'utf8'))
const cache = fragmentCache()
globalThis.__fragments = cache.engine()
vm.runInThisContext(readFileSync(bundle, 'utf8'), { filename: 'server.js' })

let json = data
if (!bare && JSON.parse(data).page.route === 'menu') {
  const { rest, shared } = apart(data)
  cache.shared = shared
  json = rest
}

const render = async () => cache.filled(await globalThis.__render(url, json, cache.shared ? 1 : 0))
const answer = await render()
if (!answer.includes('<h1')) throw new Error('the render gives no page')
/** The head tells how much was taken from renders before. */
const pageOf = (answer) => answer.slice(answer.indexOf('\n'))
if (pageOf(answer) !== pageOf(await render())) throw new Error('two renders give two pages')

async function loop(time) {
  const end = performance.now() + time * 1000
  const times = []
  while (performance.now() < end) {
    const began = performance.now()
    await render()
    times.push(performance.now() - began)
  }
  return times
}

await loop(Math.min(2, Number(seconds)))
const times = await loop(Number(seconds))
const sum = times.reduce((total, one) => total + one, 0)
times.sort((a, b) => a - b)
const at = (share) => times[Math.floor(times.length * share)]
console.log(JSON.stringify({ time: sum / times.length, p50: at(0.5), p99: at(0.99), renders: times.length }))
