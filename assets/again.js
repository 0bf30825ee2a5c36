/* Why: server/templates/document.html */
const { seconds } = document.currentScript.dataset
const isTyping = () => document.activeElement?.matches("input, textarea")
const next = () => setTimeout(again, seconds * 1000)
const again = async () => {
  /* A document that is left for the browser's own error page would take the number of the order with it. */
  const asks = window._early && !isTyping()
  const answer = asks && (await fetch("/robots.txt", { cache: "no-store" }).catch(() => null))
  if (answer?.ok && window._early && !isTyping()) location.reload()
  next()
}
addEventListener("load", next)
