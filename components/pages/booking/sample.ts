import { aheadOf, NOW, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { BookedTable, BookingPage, BookVenue } from '../../lib/page-data.ts'

const BOOK_VENUE: BookVenue = {
  id: 1013,
  name: VENUE.name,
  address: VENUE.address,
  utcOffset: 300,
  phone: { text: '+7 701 000 00 12', href: 'tel:+77010000012' },
}

const TABLE: BookedTable = {
  id: 'bk_2',
  venue: null,
  at: NOW,
  guests: 1,
  name: 'Айгүл',
  comment: '',
  bill: null,
  ahead: null,
  canceled: false,
}

const PAST: BookedTable[] = [
  { ...TABLE, venue: BOOK_VENUE, bill: '/bills/preorder/b_2', ahead: aheadOf(0) },
  {
    ...TABLE,
    id: 'bk_3',
    bill: '/bills/preorder/b_3',
    ahead: { ...aheadOf(540_000), charged: 0, refund: 250_000, refundedBonuses: 50_000 },
    canceled: true,
  },
]

const BOOKING: BookingPage = {
  venue: BOOK_VENUE,
  venues: [],
  days: [
    { date: '2026-11-21', weekday: 5, day: 21 },
    { date: '2026-11-22', weekday: 6, day: 22 },
  ],
  date: '2026-11-22',
  last: '2027-01-20',
  guests: 2,
  most: 20,
  isNext: false,
  slots: [
    { time: '18:30', free: true },
    { time: '19:00', free: false },
  ],
  ticked: false,
  failed: false,
  notLoaded: false,
  time: '18:30',
  attempt: 'AAAAAAAAAAAAAAAAAAAAAA',
  held: true,
  ahead: true,
  name: 'Айгүл',
  phone: '+77010000012',
  own: [
    {
      id: 'bk_1',
      venue: BOOK_VENUE,
      at: NOW,
      guests: 2,
      name: 'Айгүл',
      comment: 'Терезе жанында',
      bill: '/bills/preorder/b_1',
      ahead: { ...aheadOf(540_000), payUntil: NOW },
      canceled: false,
    },
    TABLE,
  ],
  past: [],
  done: null,
  cancel: null,
}

export const samples: Samples<'booking'> = [
  { url: '/brands/booking', data: { ...BOOKING, venue: null, venues: [BOOK_VENUE], past: PAST } },
  { url: '/brands/booking?filial=1013', data: BOOKING },
  { url: '/brands/booking?filial=1013', data: { ...BOOKING, isNext: true } },
  { url: '/brands/booking?filial=1013', data: { ...BOOKING, slots: [] } },
  { url: '/brands/booking?filial=1013', data: { ...BOOKING, failed: true }, status: 503 },
  {
    url: '/brands/booking?booking=bk_1',
    data: { ...BOOKING, venue: null, own: [], notLoaded: true },
    status: 503,
  },
  {
    url: '/brands/booking?filial=1013',
    data: { ...BOOKING, venue: { ...BOOK_VENUE, closed: true }, slots: [] },
  },
  { url: '/brands/booking?cancel=bk_1', data: { ...BOOKING, cancel: 'bk_1' } },
  { url: '/brands/booking?booking=bk_1', data: { ...BOOKING, done: 'bk_1' } },
  {
    url: '/brands/booking?cancel=bk_4',
    data: {
      ...BOOKING,
      venue: null,
      own: [
        {
          ...TABLE,
          id: 'bk_4',
          bill: '/bills/preorder/b_4',
          ahead: { ...aheadOf(0), bonuses: 50_000, earns: true },
        },
      ],
      cancel: 'bk_4',
    },
  },
  ...PAST.map((table) => ({
    url: `/brands/booking?booking=${table.id}`,
    data: { ...BOOKING, venue: null, own: [], past: PAST, done: table.id },
  })),
  {
    url: '/brands/booking?booking=bk_3',
    data: {
      ...BOOKING,
      venue: null,
      own: [],
      past: [
        {
          ...TABLE,
          id: 'bk_3',
          bill: '/bills/preorder/b_3',
          ahead: { ...aheadOf(200_000), waits: true, earns: true },
          canceled: true,
        },
      ],
      done: 'bk_3',
    },
  },
]
