/** How long a process takes from its start to its first page. */
import path from 'node:path'
import { ALL_CORES, middle, text } from '../machine.mjs'

const MOST_MS = 300

export async function starts(world) {
  const { row, say, space, state, ms } = world
  say('start')
  // The first one makes the snapshot where no other part has.
  await firstPage(world, state)
  const times = await turns(world, () => state)
  row(
    'Start to first rendered page, snapshot there',
    ms(times),
    `budget: ${MOST_MS} ms; median of 5`,
    times <= MOST_MS,
  )
  row(
    'The very first start, which makes the snapshot',
    ms(await turns(world, (turn) => path.join(space, `fresh-${turn}`))),
  )
}

async function turns(world, stateOf) {
  const times = []
  for (let turn = 0; turn < 5; turn++) times.push(await firstPage(world, stateOf(turn)))
  return middle(times)
}

/** Milliseconds from starting the process to the end of its first page. */
async function firstPage({ serve, page }, state) {
  const server = await serve(ALL_CORES, [], { state })
  await text(server.web + page)
  const took = performance.now() - server.began
  await server.stop()
  return took
}
