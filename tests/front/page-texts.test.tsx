/** The texts of a page come with the page: a page has each text that it uses, and none that it does not. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { renderToString } from 'react-dom/server'
import { App } from '../../components/App.tsx'
import { createCartStore } from '../../components/lib/cart/store.ts'
import { createMutations } from '../../components/lib/mutations/mutations.ts'
import type { PageData } from '../../components/lib/page-data.ts'
import type { Message } from '../../components/lib/text/message.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { Providers } from '../../components/pages/Providers.tsx'
import { samplePages } from '../../components/pages/samples.ts'
import { overlays, pages } from '../../components/pages/server.gen.ts'
import { shownViews } from '../../components/pages/strategy.ts'

declare const PROJECT_ROOT: string

type Catalogues = Record<string, Record<string, Message>>

const load = (file: string) => import(pathToFileURL(join(PROJECT_ROOT, file)).href)

async function built(): Promise<{
  catalogues: Catalogues
  parts: { core: Catalogues; views: Record<string, Catalogues> }
  graph: { entry: string[]; server: string[]; views: Record<string, string[]> }
}> {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { loadMessages } = await load('components/build/messages.mjs')
  const { splitTexts } = await load('components/build/texts.mjs')
  const components = join(PROJECT_ROOT, 'components')
  const graph = await readGraph(PROJECT_ROOT, readFolders(components))
  const { catalogues, owners } = loadMessages(components, { write: false })
  return { catalogues, graph, parts: splitTexts(PROJECT_ROOT, { catalogues, graph, owners }) }
}

test('TX-A each page renders the same with the texts that the browser has of it as with all of them', async () => {
  const { catalogues, parts } = await built()
  const samples = samplePages()
  assert.ok(samples.length > 100)
  for (const { url, data } of samples) {
    const { lang } = data.shell
    const views = shownViews(data).map((id) => parts.views[id]?.[lang])
    const missing = new Set<string>()
    const some = listening(Object.assign({}, parts.core[lang], ...views), missing)
    const whole = render(url, data, catalogues[lang] ?? {})
    assert.equal(render(url, data, some), whole, `${lang} ${url} lacks ${[...missing]}`)
  }
})

test('TX-A each text is used by a page or by the server', async () => {
  const { catalogues, graph } = await built()
  const { keysOf } = await load('components/build/graph.mjs')
  const everything = Object.keys(catalogues.kk ?? {})
  const files = [...graph.entry, ...graph.server, ...Object.values(graph.views).flat()]
  const worker = readdirSync(join(PROJECT_ROOT, 'components/worker'))
  files.push(...worker.map((name) => `components/worker/${name}`))
  const used: Set<string> = keysOf(PROJECT_ROOT, everything)(files)
  const server = join(PROJECT_ROOT, 'server')
  for (const name of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.rs')) continue
    for (const [, key = ''] of readFileSync(join(server, name), 'utf8').matchAll(/"([a-zA-Z]+\.[\w.]+)"/g))
      used.add(key)
  }
  assert.deepEqual(
    everything.filter((key) => !used.has(key)),
    [],
  )
})

/** A catalogue that notes what it was asked for in vain. */
function listening(catalogue: Record<string, Message>, missing: Set<string>): Record<string, Message> {
  const note = (key: string | symbol) => {
    if (typeof key === 'string' && !Object.hasOwn(catalogue, key)) missing.add(key)
  }
  return new Proxy(catalogue, {
    get(target, key) {
      note(key)
      return Reflect.get(target, key)
    },
    getOwnPropertyDescriptor(target, key) {
      note(key)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
}

function render(url: string, data: PageData, catalogue: Record<string, Message>): string {
  const mutations = createMutations()
  return renderToString(
    <Providers
      text={createText(data.shell.lang, catalogue)}
      mutations={mutations}
      cart={createCartStore(data.shell.cart ?? null, mutations)}
      pages={pages}
      overlays={{ modules: overlays }}
      sections={{ lost: new Set() }}
    >
      <App data={data} location={url} />
    </Providers>,
  )
}
