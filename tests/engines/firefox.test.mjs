/** The way of a guest in Firefox. */
import { firefox } from './drivers.mjs'
import { engineTests } from './engine-tests.mjs'

engineTests('Firefox', firefox)
