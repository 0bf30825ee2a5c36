/** The guest's cart of this venue that waits aside, or has just come back by itself: few guests have one. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'menuSearch'>(({ saved }) => saved !== undefined)
