import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'notFound'> = [
  { url: '/nowhere', data: { what: 'page' }, status: 404 },
  { url: '/filials/1201/bill?table_id=t7', data: { what: 'table', menu: 1201 }, status: 404 },
  { url: '/filials/999999', data: { what: 'venue' }, status: 404 },
]
