/**
 * Renders one page over and over with the product's server bundle in this Node: loop.mjs SERVER_JS DATA SECONDS [bare]
 * `bare`: nothing is taken from the render before, as any app would render.
 */
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

const [bundle, file, seconds, bare] = process.argv.slice(2)
const { url, json: data } = JSON.parse(readFileSync(file, 'utf8'))
// A page whose data holds what marks a fragment is rendered without any.
const json = bare ? data.replace('{', '{"mark":"\\u0001",') : data
vm.runInThisContext(readFileSync(bundle, 'utf8'), { filename: 'server.js' })

const answer = await globalThis.__render(url, json)
if (!answer.includes('<h1')) throw new Error('the render gives no page')

async function loop(time) {
  const end = performance.now() + time * 1000
  const times = []
  while (performance.now() < end) {
    const began = performance.now()
    await globalThis.__render(url, json)
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
