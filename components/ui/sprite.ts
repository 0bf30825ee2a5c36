/** Addresses of files whose names hold a hash; the build fills them in. */

import { sprite as built } from 'build:assets'

/** The icon sprite. */
export const sprite = built
