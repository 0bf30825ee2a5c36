import { walk } from './walk.mjs'

walk('kk')
