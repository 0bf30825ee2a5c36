import { NOW, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { ReviewFormPage } from '../../lib/page-data.ts'

const NEW: ReviewFormPage = { venue: VENUE, own: null }
const AGAIN: ReviewFormPage = {
  venue: VENUE,
  own: {
    review: { id: 7, rating: 4, text: 'Дәмді', author: 'Айгүл', lang: 'kk', at: NOW },
    state: 'pending',
  },
}

export const samples: Samples<'reviewForm'> = [
  { url: '/filials/1013/reviews/new', data: NEW },
  { url: '/filials/1013/reviews/new', data: AGAIN },
]
