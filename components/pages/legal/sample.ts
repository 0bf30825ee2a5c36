import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'legal'> = [
  {
    url: '/legal/terms',
    data: {
      doc: 'terms',
      title: 'Условия',
      version: '2026-11-21',
      lead: '',
      sections: [{ title: 'О сервисе', text: ['Текст.'] }],
    },
  },
]
