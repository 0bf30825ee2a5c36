/** Whether bytes count more than moments. */

/** The guest asked to save data, or the network is slow: nothing is fetched that was not asked for. */
export function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null
  if (typeof connection !== 'object' || connection === null) return false
  const slow = 'effectiveType' in connection && /2g$/.test(String(connection.effectiveType))
  return slow || ('saveData' in connection && connection.saveData === true)
}
