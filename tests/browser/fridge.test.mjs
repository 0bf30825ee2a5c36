/** A fridge with scripts: its page follows the door by itself, and one press is one door (BC-05, BC-14). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from './flows.mjs'
import { atUrl, inLang, openHydrated, openPage, text, unexpected } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const FRIDGE = 1201
const PAGE = `/filials/${FRIDGE}/fridge`

setStage({ withTable: false })

async function guestAt(phone) {
  const opened = await openPage(browser, product)
  await signIn(opened, { phone })
  await openHydrated(opened.page, inLang(PAGE, 'kk'))
  return opened
}

const state = (page, name) => page.locator(`.fridge[data-state="${name}"]`).waitFor()
const open = (page) => page.locator('form[action="/fridge/open"] button').click()

test('the question of age comes before the lock, then the page follows the door to the order', async () => {
  const { sandboxApi } = product
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'slow' })
  const { page, context, problems } = await guestAt('+77010000081')
  await open(page)
  await atUrl(page, /\/age\?/)
  await page.locator('form:has(input[value="yes"]) button').click()
  await atUrl(page, (url) => url.pathname === PAGE)
  // The page says that it opens as soon as it is asked to; the lock has heard of it with the answer.
  const answered = page.waitForResponse((one) => new URL(one.url()).pathname === '/fridge/open')
  await open(page)
  await answered
  // On a slow machine the lock is late before anybody has looked: it may open all the same.
  await page.locator('.fridge:is([data-state="opening"], [data-state="failed"])').waitFor()
  // Nothing is pressed from here on: the page asks by itself.
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'opens' })
  await state(page, 'open')
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'stays' })
  await page.getByText(text('kk', 'fridge.long')).waitFor()
  await page.getByRole('button', { name: text('kk', 'fridge.shut') }).click()
  await state(page, 'settled')
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  assert.deepEqual(unexpected(problems, { problem: /422/ }), [])
  await context.close()
})

test('a lock that fails says so beside its button, which tries again', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000082')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  await open(page)
  await page.getByRole('alert').getByText(text('kk', 'errors.fridgeFailed')).waitFor()
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await page.getByRole('button', { name: text('kk', 'app.retry') }).click()
  await state(page, 'open')
  await context.close()
})
