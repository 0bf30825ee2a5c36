/** The route of the router that holds the page data. */
export const ROOT = 'root'
