/** The way of a guest in WebKit, which is Safari's engine and that of every browser on an iPhone. */

import { webkit } from './drivers.mjs'
import { engineTests } from './engine-tests.mjs'

engineTests('WebKit', webkit)
