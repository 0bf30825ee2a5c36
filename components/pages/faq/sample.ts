import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'faq'> = [
  {
    url: '/faq',
    data: { groups: [{ title: 'Заказ', items: [{ id: 'qr', question: 'Как?', answer: ['Так.'] }] }] },
  },
]
