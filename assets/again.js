/* Why: server/templates/document.html */
const { seconds } = document.currentScript.dataset
const again = () => window._early && !document.activeElement?.matches("input, textarea") && location.reload()
addEventListener("load", () => setInterval(again, seconds * 1000))
