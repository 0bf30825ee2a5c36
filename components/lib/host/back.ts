/**
 * The hardware's Back: it closes a sheet, then a list, then steps back in the history, then goes to the page above, then
 * leaves to the host (HB-12).
 */

import { paths } from '../../paths.ts'
import { goBack } from '../browser/back.ts'
import { dismiss } from '../router/asking.ts'
import type { Navigation } from '../router/navigation.ts'
import type { Host } from './begin.ts'

const OVER = 'dialog[open]'
const LIST = 'details.lang[open]'
const ARROW = '.head .back'

/** Says of each screen whether Back is ours, and does it when the host passes it on. */
export function answerBack(host: Host, navigation: Navigation): void {
  let sent: boolean | undefined
  function tell(): void {
    const on = !!document.querySelector(`${OVER}, ${LIST}`) || hasHistory() || !!arrow()
    if (on === sent) return
    sent = on
    void host.call('backHandler', { on })
  }
  /** The header's way back, except at home. A page that was loaded anew has no history, and yet one above it. */
  function arrow(): HTMLElement | null {
    const { location, data } = navigation.now()
    return location.pathname === data.shell.home ? null : document.querySelector<HTMLElement>(ARROW)
  }
  tell()
  navigation.subscribe(tell)
  new MutationObserver(tell).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['open'],
  })
  host.hear(({ type }) => {
    if (type !== 'back') return
    const sheet = [...document.querySelectorAll<HTMLDialogElement>(OVER)].at(-1)
    const list = document.querySelector(LIST)
    if (sheet) dismiss(sheet)
    else if (list) list.removeAttribute('open')
    else
      goBack({
        root: () => void navigation.navigate(paths.home()),
        up() {
          const above = arrow()
          if (above) above.click()
          else void close(host)
        },
      })
  })
}

function hasHistory(): boolean {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state && Number(state.idx) > 0
}

/** Where the host says nothing, some webviews can be closed by the page. */
export async function close(host: Host): Promise<void> {
  if (!(await host.call('close'))) window.close()
}
