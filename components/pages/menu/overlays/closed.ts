/** A venue that is closed now: guests of an open one fetch nothing of it. */

import { partOf } from '../../part.ts'
import { overlay as noMenu } from './noMenu.ts'

// A dish that is open has the styles of the document. Without a menu the words do not invite to read it.
export const overlay = partOf<'menu'>((data) => !data.dish && !data.venue.open.open && !noMenu.isShown(data))
