/** What the parts of the build agree on. */

export const ENTRY = 'components/entry.client.tsx'

/** What a QR code opens. A first visit of it is what has to be small: the texts of this page come with the entry's. */
export const FIRST_PAGE = 'menu'

/** Where the server serves the hashed files. */
export const PUBLIC_PATH = '/assets/'

/** The oldest browsers whose syntax the bundles keep to. Older ones use the forms without scripts. */
export const TARGET = ['chrome84', 'safari15', 'firefox90']
