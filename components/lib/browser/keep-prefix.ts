/**
 * Links and forms that React draws get the prefix of the page's addresses (RT-20, ./address.ts), as the server gives it to
 * those of a document. React compares what it draws with what it drew before, not with the page, so the prefix stays until
 * the address changes. Some two hundred links and forms need not know of it this way, and a page without a prefix fetches
 * nothing of it.
 */

import { outward } from './address.ts'

const ATTRIBUTES = ['href', 'action', 'formaction']
const WITH_ONE = 'a[href], form[action], button[formaction]'
const OURS = /^\/(?!\/)/

export function keepPrefix(): void {
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'attributes' ? [target] : addedNodes) write(node)
  })
  const attributes = { attributes: true, attributeFilter: ATTRIBUTES }
  observer.observe(document.body, { subtree: true, childList: true, ...attributes })
  for (const one of document.querySelectorAll(WITH_ONE)) prefix(one)
}

/** What was changed or has come, with what came inside of it. */
function write(node: Node): void {
  if (!(node instanceof Element)) return
  if (node.matches(WITH_ONE)) prefix(node)
  for (const one of node.querySelectorAll(WITH_ONE)) prefix(one)
}

function prefix(element: Element): void {
  for (const name of ATTRIBUTES) {
    const address = element.getAttribute(name)
    if (!address || !OURS.test(address)) continue
    const outwardHref = outward(address)
    if (outwardHref !== address) element.setAttribute(name, outwardHref)
  }
}
