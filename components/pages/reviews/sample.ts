import { NOW, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { ReviewCard, ReviewsPage } from '../../lib/page-data.ts'

const SAID: ReviewCard = {
  id: 7,
  rating: 4,
  text: 'Дәмі жақсы.\nТүскі уақытта кезек көп.',
  author: 'Ерлан',
  lang: 'kk',
  at: NOW - 86_400_000,
}

const REVIEWS: ReviewsPage = {
  venue: VENUE,
  rating: 4.7,
  count: 1284,
  stars: [12, 20, 60, 192, 1000],
  languages: [
    { lang: 'kk', count: 14 },
    { lang: 'ru', count: 20 },
  ],
  only: null,
  reviews: [
    SAID,
    { id: 6, rating: 1, text: 'Долго', author: '', lang: 'ru', at: NOW - 400 * 86_400_000 },
    { id: 5, rating: 5, text: '', author: 'Tom', lang: null, at: null },
  ],
  page: 2,
  lastPage: 4,
  total: 34,
  failed: false,
  own: null,
  reported: null,
  removed: false,
}

const NONE: ReviewsPage = {
  ...REVIEWS,
  rating: null,
  count: 0,
  stars: null,
  languages: [],
  reviews: [],
  page: 1,
  lastPage: 1,
  total: 0,
}

export const samples: Samples<'reviews'> = [
  { url: '/filials/1013/reviews?page=2', data: REVIEWS },
  {
    url: '/filials/1013/reviews',
    data: { ...REVIEWS, page: 1, own: { review: { ...SAID, id: 9 }, state: 'pending' }, reported: 7 },
  },
  {
    url: '/filials/1013/reviews?in=ru',
    data: { ...REVIEWS, own: { review: SAID, state: 'published' }, only: 'ru' },
  },
  { url: '/filials/1013/reviews', data: { ...NONE, own: { review: SAID, state: 'refused' } } },
  { url: '/filials/1013/reviews?removed=1', data: { ...NONE, removed: true } },
  { url: '/filials/1013/reviews', data: { ...NONE, failed: true }, status: 503 },
]
