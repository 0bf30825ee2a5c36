/**
 * A sheet that asks something has no address, and is a step of the history: Back closes it (UI-02). The step
 * has the address and the key of the entry under it. It goes with its sheet, is passed over where a reload or Forward come
 * to it, and is taken by the page that the guest goes on to from there (`push`).
 */

import { here, isStep, replace } from './entries.ts'
import type { Navigation } from './navigation.ts'

const asking = () => [...document.querySelectorAll<HTMLDialogElement>('dialog[data-asks][open]')].at(-1)

export function begin(navigation: Navigation): void {
  let wasStep = isStep()
  let leaving = false

  function settle(): void {
    if (!asking() === !isStep()) return
    if (asking()) {
      const { state } = history
      history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, step: true }, '')
      wasStep = true
    } else if (!leaving) {
      leaving = true
      history.back()
    }
  }

  const { pop } = navigation
  navigation.pop = () => {
    const { location, action } = navigation.now()
    const fromStep = wasStep
    const left = leaving
    wasStep = isStep()
    leaving = false
    // A step to another entry drops the question.
    if (!left) dismiss(asking())
    const { key, hash } = here()
    const isShown = key === location.key && hash === location.hash
    // A page that came meanwhile has taken the entry of the sheet instead of the one under it.
    const isLate = left && !isShown && action === 'REPLACE'
    if (isLate) replace(location)
    // The page of the entry under a sheet is there.
    if (!wasStep && !(fromStep && (isShown || isLate))) pop()
    settle()
  }
  new MutationObserver(settle).observe(document, { subtree: true, attributeFilter: ['open'] })
  settle()
}

/** As by Esc: one that only its opener closes stays. */
export function dismiss(sheet: HTMLDialogElement | undefined): void {
  if (sheet?.dispatchEvent(new Event('cancel', { cancelable: true }))) sheet.close()
}
