/** Addresses of files whose names hold a hash; the build fills them in. */

export { sprite } from 'build:assets'
