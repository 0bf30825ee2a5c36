/** The id of the form that pays: the fields of the dishes stand outside of it. */
export const SHARE = 'share'
