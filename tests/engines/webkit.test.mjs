/** The way of a guest in WebKit, which is Safari's engine and that of every browser on an iPhone. */
import { engineTests } from './engine-tests.mjs'
import { webkit } from './drivers.mjs'

engineTests('WebKit', webkit)
