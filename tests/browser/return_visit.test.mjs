/** What a return visit costs after a new build: the difference to the scripts that the browser has (beyond.md, 16). */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openHydrated, openPage } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

/** Bytes of scripts, as sent, that a menu may cost a guest who saw it before the new build. */
const AGAIN = 15 * 1024

setStage()

/** Names and bytes, as sent, of the scripts that a page asks for from now on. */
async function scripts(page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const names = new Map()
  const seen = { sizes: {}, encodings: {} }
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    const name = /\/assets\/(.+\.js)$/.exec(response.url)?.[1]
    if (type !== 'Script' || !name) return
    names.set(requestId, name)
    seen.encodings[name] = response.headers['content-encoding']
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId)
    if (name) seen.sizes[name] = encodedDataLength
  })
  return seen
}

const sum = (sizes) => Object.values(sizes).reduce((all, one) => all + one, 0)

/**
 * The files of a build before this one, in the folder in which it would have left them: other hashes in all names and
 * in all that names them, and functions that are not the same.
 */
async function leaveOlderBuild() {
  const builds = path.join(product.stateDir, 'builds')
  const [own] = await readdir(builds)
  const names = (await readdir(path.join(builds, own))).filter((name) => name.endsWith('.js'))
  const older = (name) => name.replace(/-(...)([^-]*)\.js$/, '-0LD$2.js')
  await mkdir(path.join(builds, '0ldbu1ld'))
  for (const name of names) {
    let text = await readFile(path.join(builds, own, name), 'utf8')
    for (const one of names) text = text.replaceAll(one, older(one))
    await writeFile(
      path.join(builds, '0ldbu1ld', older(name)),
      `${text.replaceAll('return null', 'return void 0')}\n/* an older build */`,
    )
  }
  return older
}

test('after a new build a menu costs its guest the difference to the scripts of before', async () => {
  const first = await openPage(browser, product)
  const whole = await scripts(first.page)
  await openHydrated(first.page, table.qr)
  await first.context.close()
  const names = Object.keys(whole.sizes)
  assert.ok(names.some((name) => name.startsWith('entry-')) && sum(whole.sizes) > 60 * 1024, names.join())

  const older = await leaveOlderBuild()
  const { page, context, problems } = await openPage(browser, product)
  // A page without scripts of its own, on which the guest's browser gets what the build before has sent it.
  await page.goto('/robots.txt')
  await page.evaluate(
    (addresses) => Promise.all(addresses.map((address) => fetch(address).then((answer) => answer.text()))),
    names.map((name) => `/assets/${older(name)}`),
  )
  const again = await scripts(page)
  await openHydrated(page, table.qr)
  assert.deepEqual(problems, [])
  const entry = names.find((name) => name.startsWith('entry-'))
  assert.equal(again.encodings[entry], 'dcz', JSON.stringify(again.encodings))
  console.log(`scripts of a menu: ${sum(whole.sizes)} bytes at first, ${sum(again.sizes)} after a new build`)
  assert.ok(sum(again.sizes) <= AGAIN, JSON.stringify(again.sizes))
  await context.close()
})
