/** The menus that were opened last in this browser: the way back for a guest who has lost the way (ST-03). */

import { readStored, writeStored } from './storage.ts'

const MOST = 3

export type RecentMenu = { id: number; name: string }

/** The newest first. Storage may be blocked or hold anything: then there are none. */
export function recentMenus(): RecentMenu[] {
  const stored = readStored('temporaryTerminals')
  return Array.isArray(stored) ? stored.filter(isMenu).slice(0, MOST) : []
}

export function rememberMenu({ id, name }: RecentMenu): void {
  const [newest, ...others] = recentMenus()
  if (newest?.id === id && newest.name === name) return
  const before = newest ? [newest, ...others] : others
  writeStored('temporaryTerminals', [{ id, name }, ...before.filter((one) => one.id !== id)].slice(0, MOST))
}

function isMenu(value: unknown): value is RecentMenu {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value)) return false
  return Number.isSafeInteger(value.id) && Number(value.id) > 0 && typeof value.name === 'string'
}
