/*
 * Stands in documents that come again after a while, for browsers that run scripts where the app has not come: they are
 * older than its line, or its bundle did not load, and a refresh in <noscript> means nothing to them.
 */
const { seconds } = document.currentScript.dataset
const isTyping = () => document.activeElement?.matches("input, textarea")
/* The app takes the list of early taps away once it is there (components/early/early.ts). */
const again = () => window._early && !isTyping() && location.reload()
/* While the bundle is still on its way, the document is not loaded. */
addEventListener("load", () => setInterval(again, seconds * 1000))
