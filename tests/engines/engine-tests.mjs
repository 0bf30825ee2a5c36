/** The same tests for each engine of today. */
import { after, before, test } from 'node:test'
import {
  back,
  backAfterSignOut,
  bill,
  fridge,
  isDark,
  language,
  map,
  order,
  refused,
  review,
  sheet,
  signIn,
  walk,
} from './ways.mjs'
import { startWorld } from './world.mjs'

export function engineTests(name, engine) {
  let plain, secure
  before(async () => {
    plain = await startWorld()
    secure = await startWorld({ secure: true })
  })
  after(async () => {
    try {
      await engine.end?.()
    } finally {
      await plain?.stop()
      await secure?.stop()
    }
  })

  test(`${name}: from the code on the table to an order that cooks, over http of this machine`, () =>
    walk(engine, plain, {}, order))

  test(`${name}: the same over https`, () => walk(engine, secure, {}, order))

  test(`${name}: the same without scripts, in the dark`, () =>
    walk(engine, plain, { scripts: false, dark: true }, async (page, world) => {
      await order(page, world, { scripts: false })
      await isDark(page)
    }))

  test(`${name}: a guest signs in and comes back to where that began`, () => walk(engine, plain, {}, signIn))

  test(`${name}: the sign-in without scripts`, () =>
    walk(engine, plain, { scripts: false }, (page, world) => signIn(page, world, { scripts: false })))

  // Over plain http WebKit keeps a page that forbids it; over https its driver never ends a step back that leads to the
  // sandbox, which has no https.
  const skip = name === 'WebKit' && 'not told by its driver'
  test(`${name}: Back after a sign-out shows nothing of the guest`, { skip }, async () => {
    await walk(engine, secure, {}, backAfterSignOut)
    await walk(engine, secure, { scripts: false }, (page, world) =>
      backAfterSignOut(page, world, { scripts: false }),
    )
  })

  test(`${name}: sheet, language and map, and Back from each`, () =>
    walk(engine, plain, {}, async (page, world) => {
      await sheet(page, world)
      await language(page, world)
      await map(page, world)
    }))

  test(`${name}: Back into the app brings the menu out of memory, and it goes on living`, () =>
    walk(engine, plain, {}, back))

  for (const scripts of [true, false]) {
    const how = scripts ? '' : ' without scripts'

    test(`${name}: the bill: a share of it, the bank, thanks and a grade${how}`, () =>
      walk(engine, plain, { scripts }, (page, world) => bill(page, world, { scripts })))

    test(`${name}: a fridge, a scanner without a camera, a typed barcode${how}`, () =>
      walk(engine, plain, { scripts }, (page, world) => fridge(page, world, { scripts })))

    test(`${name}: a guest writes a review${how}`, () =>
      walk(engine, plain, { scripts }, (page, world) => review(page, world, { scripts })))
  }

  test(`${name}: whose browser refuses cookies is told so`, () =>
    walk(engine, plain, { cookies: false }, refused))
}
