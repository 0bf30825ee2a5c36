import { walk } from './walk.mjs'

walk('ru')
