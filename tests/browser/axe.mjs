/** What axe finds wrong on an open page, as it is now. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './harness.mjs'

const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** The rules that ask for colours: all that another theme can break. */
export const COLOURS = ['color-contrast', 'link-in-text-block']

/** Of all rules, or of these only. */
export async function violations(page, rules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  const found = await violationsNow(page, { rules })
  const wrong = []
  for (const one of found) {
    // A bar at the edge of the window hides half of what is just under it until the guest scrolls.
    if (one.id === 'target-size' && (await isFreeOnceScrolledTo(page, one.target))) continue
    wrong.push(`${one.id}: ${one.target.join(' ')} ${one.summary}`)
  }
  return wrong
}

const violationsNow = (page, asked) =>
  page.evaluate(async ({ within, rules }) => {
    const { violations: found } = await window.axe.run(within ?? document, {
      resultTypes: ['violations'],
      ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
    })
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => ({ id, target: node.target, summary: node.failureSummary.replace(/\s+/g, ' ') })),
    )
  }, asked)

async function isFreeOnceScrolledTo(page, target) {
  const before = await page.evaluate(() => scrollY)
  await page
    .locator(target[0])
    .evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const left = await violationsNow(page, { within: { include: [target] } })
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), before)
  return !left.some(({ id }) => id === 'target-size')
}
