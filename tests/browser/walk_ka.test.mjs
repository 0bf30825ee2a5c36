import { walk } from './walk.mjs'

walk('ka')
