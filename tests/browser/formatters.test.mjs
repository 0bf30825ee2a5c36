/** Formatters give the same bytes in the server's V8 and in Chromium. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import { launch, root, startProduct } from './harness.mjs'

let folder, product, browser, script

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-web-'))
  script = await bundle()
  await webFolder()
  product = await startProduct({ args: ['--web-dir', folder] })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await product?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function bundle() {
  const { catalogues } = compileTexts(readTexts(path.join(root, 'components')).texts)
  const plurals = Object.entries(catalogues.ru).flatMap(([key, message]) =>
    typeof message === 'string'
      ? []
      : message.filter((part) => part[0] === 'p').map((part) => ({ key, name: part[1] })),
  )
  const built = await build({
    entryPoints: [path.join(root, 'tests/browser/formatters.entry.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'formatters',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    plugins: [
      {
        name: 'catalogues',
        setup(api) {
          api.onResolve({ filter: /^test:catalogues$/ }, () => ({ path: 'catalogues', namespace: 'test' }))
          api.onLoad({ filter: /.*/, namespace: 'test' }, () => ({
            contents: `export const catalogues = ${JSON.stringify(catalogues)}; export const plurals = ${JSON.stringify(plurals)}`,
          }))
        },
      },
    ],
  })
  return built.outputFiles[0].text
}

/** The product's own build, but its server bundle writes the table instead of a screen. */
async function webFolder() {
  const made = spawnSync('node', ['components/build/build.mjs', '--out', folder, '--dev'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(made.status, 0, made.stderr)
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'))
  assert.ok(manifest.entry)
  const render = `globalThis.__render = () => JSON.stringify({ title: 'formatters', description: '', lang: 'kk' })
    + '\\n' + '<pre>' + formatters.table().replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</pre>'
    globalThis.__warm = () => {}`
  await writeFile(path.join(folder, 'server.js'), `${script}\n${render}\n`)
}

test('money, dates, times, distances, percents, numbers and plurals are the same bytes in V8 and in Chromium', async () => {
  const answer = await fetch(`${product.web}/`)
  const html = await answer.text()
  const inServer = /<pre>([\s\S]*?)<\/pre>/.exec(html)?.[1].replace(/&lt;/g, '<').replace(/&amp;/g, '&')
  assert.ok(inServer, 'the server rendered no table')
  for (const options of [
    {},
    { locale: 'ka-GE', timezoneId: 'Etc/GMT-6' },
    { locale: 'kk-KZ', timezoneId: 'Europe/Berlin' },
  ]) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto('about:blank')
    const inBrowser = await page.evaluate(`${script}; formatters.table()`)
    assert.ok(inBrowser.split('\n').length > 500)
    assert.equal(inBrowser, inServer)
    await context.close()
  }
})
