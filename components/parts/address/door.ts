import type { AddressFields } from '../../lib/page-data.ts'
import type { Text } from '../../lib/text/text.tsx'

type Door = Pick<AddressFields, 'entrance' | 'floor' | 'apartment'>

/** What a courier has to find in the house, in one line. */
export function doorOf(t: Text, { entrance, floor, apartment }: Door): string {
  return [
    entrance && t('door.entrance', { entrance }),
    floor && t('door.floor', { floor }),
    apartment && t('door.apartment', { apartment }),
  ]
    .filter(Boolean)
    .join(', ')
}
