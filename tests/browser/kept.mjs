/**
 * A page that tests use one after another, as good as new for each: a renderer of its own takes twice as long to start
 * as a page takes to load. What the browser keeps of files stays, so the first of all visits is not to be had here.
 */

/** What cannot be taken back on a page or its context: its caller was the last to use them. */
const LASTING = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction'],
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'setGeolocation',
    'setOffline',
  ],
}

/** `make` opens the page (`openPage` with what the tests want of it). */
export function keptPage(make) {
  let kept = null

  async function close() {
    await kept?.context.close()
    kept = null
  }

  return {
    close,
    /** The page as if unused. After a test without `done` the next one gets another page. */
    async fresh() {
      if (!kept?.isGood) {
        await close()
        kept = { ...(await make()), isGood: false, isSpoilt: false }
        spoilBy(kept)
      } else await forget(kept)
      kept.isGood = false
      return kept
    },
    done() {
      kept.isGood = !kept.isSpoilt
    },
  }
}

function spoilBy(kept) {
  for (const [name, methods] of Object.entries(LASTING)) {
    for (const method of methods) {
      const before = kept[name][method].bind(kept[name])
      kept[name][method] = (...all) => {
        kept.isSpoilt = true
        return before(...all)
      }
    }
  }
}

/** Takes away what the last test has left in the browser, its files aside. */
async function forget({ context, page, web, problems, requests }) {
  await Promise.all(context.pages().map((one) => (one === page ? one.unrouteAll() : one.close())))
  await context.unrouteAll()
  // A document of this origin without a script of ours: what a tab keeps can be emptied here alone.
  await page.goto(`${web}/robots.txt`)
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
  })
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: web, storageTypes: 'all' })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
  await context.clearCookies()
  problems.length = 0
  requests.length = 0
}
