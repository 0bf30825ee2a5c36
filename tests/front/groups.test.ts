/** Which modules come in one file: what is worth a file of its own stays one. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

declare const PROJECT_ROOT: string

type Group = { kit: string[]; into: string[] }
type Options = { taken?: string[]; way?: string[]; after?: string[]; needs?: Record<string, string[]> }

const load = () => import(pathToFileURL(join(PROJECT_ROOT, 'components/build/groups.mjs')).href)

/** Screens with the parts that they import, and parts with their sizes; `needs` are parts of parts. */
function visits(
  screens: Record<string, string[]>,
  parts: Record<string, number>,
  { taken = [], way = [], after = [], needs = {} }: Options = {},
) {
  const imports = (names: string[]) => names.map((path) => ({ kind: 'import-statement', path }))
  const outputs = {
    ...Object.fromEntries(
      Object.entries(screens).map(([name, own]) => [
        name,
        { entryPoint: `components/${name}`, imports: imports(own), inputs: {} },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(parts).map(([name, bytesInOutput]) => [
        name,
        { imports: imports(needs[name] ?? []), inputs: { [name]: { bytesInOutput } } },
      ]),
    ),
  }
  const named = (names: string[]) => names.map((name) => `components/${name}`)
  return [{ outputs }, { taken, way: named(way), after: named(after) }] as const
}

async function groupsOf(...given: Parameters<typeof visits>): Promise<Group[]> {
  const groups: Group[] = (await load()).groupsOf(...visits(...given))
  return groups.map(({ kit, into }) => ({
    kit: kit.toSorted(),
    into: into.map((name) => name.slice(11)).toSorted(),
  }))
}

const neededByMost = async (...given: Parameters<typeof visits>): Promise<string[]> =>
  (await load()).neededByMost(...visits(...given))

test('two small parts of nearly the same screens come together, to all of these', async () => {
  const groups = await groupsOf(
    { list: ['field', 'card'], search: ['field', 'card'], map: ['card'] },
    { field: 100, card: 200 },
  )
  assert.deepEqual(groups, [{ kit: ['card', 'field'], into: ['list', 'map', 'search'] }])
})

test('a large part does not come to screens that do not use it', async () => {
  const parts = { field: 100, player: 5000 }
  const groups = await groupsOf({ list: ['field', 'player'], search: ['field'], map: ['field'] }, parts)
  assert.deepEqual(groups.map(({ kit }) => kit).toSorted(), [['field'], ['player']])
})

test('on the way that most go fewer files are worth more', async () => {
  const screens = { cart: ['blocks', 'position'], map: ['position'], pin: ['position'] }
  const parts = { blocks: 1200, position: 900 }
  assert.equal((await groupsOf(screens, parts)).length, 2)
  assert.equal((await groupsOf(screens, parts, { way: ['cart'] })).length, 1)
})

test('who gets a part gets what it needs, and what comes in another way is left alone', async () => {
  const groups = await groupsOf(
    { list: ['card', 'field'], search: ['card', 'field'], map: ['field'] },
    { card: 100, field: 100, badge: 3000, icon: 10 },
    { needs: { card: ['badge', 'icon'] }, taken: ['icon'] },
  )
  // Together they would bring the badge to the map.
  assert.deepEqual(groups.map(({ kit }) => kit).toSorted(), [['badge', 'card'], ['field']])
})

test('a small part of most screens comes with the entry, a large one or one of few screens does not', async () => {
  const screens = { menu: [], cart: ['words', 'scene'], order: ['words', 'film'], pay: ['words', 'film'] }
  const parts = { words: 100, scene: 300, film: 2000 }
  assert.deepEqual(await neededByMost(screens, parts), ['words'])
  assert.deepEqual(await neededByMost(screens, parts, { taken: ['words'] }), [])
})

test('what follows each step of the way counts as often as the way itself', async () => {
  const screens = { menu: [], help: ['kept'], late: ['kept'], pay: [], map: [] }
  const parts = { kept: 500 }
  assert.deepEqual(await neededByMost(screens, parts, { way: ['menu'] }), [])
  assert.deepEqual(await neededByMost(screens, parts, { way: ['menu'], after: ['late'] }), ['kept'])
})

test('a step that is no entry point ends the build', async () => {
  await assert.rejects(groupsOf({ menu: [] }, {}, { after: ['late'] }), /components\/late is no entry point/)
})
