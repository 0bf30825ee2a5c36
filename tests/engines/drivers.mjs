/**
 * The engines themselves, each behind the same few commands: what a guest's finger and eyes do, and a look into the
 * page. Everything else is built on these in `page.mjs`, so that all engines walk the same way.
 *
 * @typedef {object} Driver
 * @property {(address: string) => Promise<void>} goto
 * @property {(script: string) => Promise<unknown>} evaluate the value of an expression, which must not be a promise:
 *   where scripts are off nothing comes of one
 * @property {(x: number, y: number) => Promise<void>} hover moves the pointer to a place of the viewport
 * @property {(x: number, y: number) => Promise<void>} press at a place of the viewport
 * @property {(text: string) => Promise<void>} type into what has the focus
 * @property {() => Promise<void>} back
 * @property {() => Promise<Buffer>} picture
 * @property {() => Promise<void>} close
 */
import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { PATIENCE, PHONE, untilTrue } from '../browser/harness.mjs'

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

/** What the engine is started with: `scripts` off, a `dark` system, `cookies` refused; old ones on a `screen`. */
const USUAL = { scripts: true, dark: false, cookies: true, screen: PHONE }

/** WebKit as GNOME builds it, over plain WebDriver. It needs a display, so it gets a virtual one. */
export async function webkit(options = {}) {
  const { scripts, dark, cookies } = { ...USUAL, ...options }
  const port = await freePort()
  const driver = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'], {
    // The sandbox of its processes needs user namespaces, which a container seldom has.
    env: {
      ...process.env,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
    stdio: 'ignore',
    detached: true,
  })
  // Asked to end, the script waits for a driver that hangs; and what is left of it would hold our own process.
  driver.unref()
  const end = () => {
    try {
      process.kill(-driver.pid, 'SIGKILL')
    } catch {}
  }
  process.once('exit', end)
  const call = async (method, address, body, { signal } = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      signal,
      body: body && JSON.stringify(body),
    })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`)
    return value
  }
  await untilTrue(
    () => call('GET', '/status').then(Boolean, () => false),
    PATIENCE,
    'WebKitWebDriver answers',
  )
  const args = ['--automation']
  if (!scripts) args.push('--enable-javascript=false')
  if (!cookies) args.push('--cookies-policy=never')
  const { sessionId } = await call('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        acceptInsecureCerts: true,
        'webkitgtk:browserOptions': { binary: MINI_BROWSER, args },
      },
    },
  })
  const tell = (method, command, body, options) =>
    call(method, `/session/${sessionId}${command}`, body, options)
  const point = (x, y, then) => {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport', duration: 0 }
    return tell('POST', '/actions', {
      actions: [{ type: 'pointer', id: 'finger', actions: [move, ...then] }],
    })
  }
  // The narrowest window that GTK makes is 447 pixels wide.
  await tell('POST', '/window/rect', { width: 360, height: 800 })
  return {
    name: 'WebKit',
    goto: (url) => tell('POST', '/url', { url }),
    // What is asked while a page is being left may never be answered: it is asked again.
    evaluate: (script) =>
      tell(
        'POST',
        '/execute/sync',
        { script: `return (${script})`, args: [] },
        { signal: AbortSignal.timeout(PATIENCE / 4) },
      ),
    hover: (x, y) => point(x, y, []),
    press: (x, y) =>
      point(x, y, [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) =>
      tell('POST', '/actions', {
        actions: [
          {
            type: 'key',
            id: 'keys',
            actions: [...text].flatMap((value) => [
              { type: 'keyDown', value },
              { type: 'keyUp', value },
            ]),
          },
        ],
      }),
    back: () => tell('POST', '/back', {}),
    picture: async () => Buffer.from(await tell('GET', '/screenshot'), 'base64'),
    async close() {
      await tell('DELETE', '', null, { signal: AbortSignal.timeout(PATIENCE / 4) }).catch(() => {})
      end()
    },
  }
}

/** Firefoxes that run, by their options: to begin one takes longer than most walks do in it. */
const firefoxes = new Map()

/** Firefox over WebDriver BiDi, each guest with cookies and storage of its own. `firefox.end` ends what was begun. */
export async function firefox(options = {}) {
  const name = JSON.stringify(options)
  if (!firefoxes.has(name)) firefoxes.set(name, startFirefox({ ...USUAL, ...options }))
  const browser = await firefoxes.get(name).catch((error) => {
    // The next guest tries again.
    firefoxes.delete(name)
    throw error
  })
  const guest = await browser.createBrowserContext()
  const page = await guest.newPage()
  page.setDefaultTimeout(PATIENCE)
  await page.setViewport(PHONE)
  // As a page of the guest before is closed, another than the newest may come to the front; and one behind has no frames.
  await page.bringToFront()
  return {
    name: 'Firefox',
    goto: (url) => page.goto(url, { waitUntil: 'domcontentloaded' }),
    evaluate: (script) => page.evaluate(script),
    hover: (x, y) => page.mouse.move(x, y),
    press: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    // A page out of its memory has no load that could be waited for.
    back: () => page.evaluate('void history.back()').catch(() => page.goBack()),
    picture: async () => Buffer.from(await page.screenshot()),
    close: () => guest.close(),
  }
}

firefox.end = async () => {
  const all = [...firefoxes.values()]
  firefoxes.clear()
  await Promise.allSettled(
    all.map(async (starting) => {
      const browser = await starting
      await browser.close().catch(() => browser.process()?.kill('SIGKILL'))
    }),
  )
}

/** What it cannot be told by BiDi is a preference of its profile. */
const startFirefox = ({ scripts, dark, cookies }) =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    acceptInsecureCerts: true,
    // Beside other tests its first start takes long.
    timeout: 3 * PATIENCE,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: {
      'javascript.enabled': scripts,
      'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
      ...(cookies ? {} : { 'network.cookie.cookieBehavior': 2 }),
      // The memory of pages that were left is small on a machine with little memory, and off under automation.
      'browser.sessionhistory.max_total_viewers': 4,
      // What only helps a browser that runs for long.
      'dom.ipc.processPrelaunch.enabled': false,
      'javascript.options.ion': false,
    },
  })

/** A Chromium of long ago, as an npm package brings it: packed, for machines without one. */
export const oldChromium =
  (version) =>
  async (options = {}) => {
    const { scripts, dark, cookies, screen } = { ...USUAL, ...options }
    if (!cookies) throw new Error('not written: an old Chromium that refuses cookies')
    const browser = await chromium.launch({
      executablePath: await unpacked(version),
      headless: true,
      chromiumSandbox: false,
      args: ['--headless', '--disable-gpu', '--no-zygote'],
    })
    const problems = []
    const page = await browser.newPage({
      viewport: screen,
      javaScriptEnabled: scripts,
      ignoreHTTPSErrors: true,
      colorScheme: dark ? 'dark' : 'light',
    })
    page.setDefaultTimeout(PATIENCE)
    page.on('pageerror', (error) => problems.push(String(error)))
    return {
      name: `Chromium ${version}`,
      problems: () => problems,
      goto: (url) => page.goto(url, { waitUntil: 'domcontentloaded' }),
      evaluate: (script) => page.evaluate(script),
      hover: (x, y) => page.mouse.move(x, y),
      press: (x, y) => page.mouse.click(x, y),
      type: (text) => page.keyboard.type(text),
      back: () => page.goBack({ waitUntil: 'commit' }),
      picture: () => page.screenshot(),
      close: () => browser.close(),
    }
  }

/** The program out of its package, beside which it is kept for the next run. */
async function unpacked(version) {
  const require = createRequire(import.meta.url)
  const folder = path.join(path.dirname(require.resolve(`chromium-${version}`)), '../bin')
  const program = path.join(folder, 'chromium')
  if (!existsSync(program)) {
    const part = `${program}.${process.pid}`
    await pipeline(createReadStream(`${program}.br`), createBrotliDecompress(), createWriteStream(part))
    await chmod(part, 0o755)
    await rename(part, program)
  }
  return program
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
