import { walk } from './walk.mjs'

walk('en')
