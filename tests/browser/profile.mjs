/** A Chromium with windows and a profile folder of its own, whose settings the test writes. */
import { chromium } from 'playwright-core'
import { CHROMIUM_FLAGS } from './harness.mjs'

export const launchPersistent = (folder, options) =>
  chromium.launchPersistentContext(folder, {
    ...options,
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: false,
    args: [...CHROMIUM_FLAGS, ...options.args],
  })
