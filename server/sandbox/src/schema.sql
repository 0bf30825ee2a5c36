-- Sums are hundredths, times are milliseconds since the epoch.

CREATE TABLE IF NOT EXISTS settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS product_overrides (
  venue_id   INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  price      INTEGER CHECK (price >= 0),
  available  INTEGER CHECK (available IN (0, 1)),
  PRIMARY KEY (venue_id, product_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS venue_overrides (
  venue_id      INTEGER PRIMARY KEY,
  closed        INTEGER CHECK (closed IN (0, 1)),
  check_pulling INTEGER CHECK (check_pulling IN (0, 1))
) STRICT;

-- A key with the body that it came with and the answer that it got.
CREATE TABLE IF NOT EXISTS idempotency (
  operation  TEXT NOT NULL,
  key        TEXT NOT NULL,
  body       TEXT NOT NULL,
  status     INTEGER NOT NULL,
  answer     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (operation, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS orders (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  number          TEXT NOT NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('express', 'takeaway', 'delivery', 'vendor-delivery', 'micromarket')),
  filial_id       INTEGER NOT NULL,
  venue_id        INTEGER NOT NULL,
  table_id        TEXT,
  table_number    TEXT,
  source          TEXT NOT NULL,
  payment_type    TEXT NOT NULL CHECK (payment_type IN ('cash', 'online')),
  name            TEXT NOT NULL,
  comment         TEXT NOT NULL,
  goods_sum       INTEGER NOT NULL CHECK (goods_sum >= 0),
  service_sum     INTEGER NOT NULL CHECK (service_sum >= 0),
  delivery_sum    INTEGER NOT NULL DEFAULT 0 CHECK (delivery_sum >= 0),
  discount_sum    INTEGER NOT NULL DEFAULT 0 CHECK (discount_sum >= 0),
  bonus_sum       INTEGER NOT NULL DEFAULT 0 CHECK (bonus_sum >= 0),
  sum             INTEGER NOT NULL CHECK (sum >= 0 AND sum = goods_sum + service_sum + delivery_sum - discount_sum - bonus_sum),
  cooking_time    INTEGER NOT NULL,
  fingerprint     TEXT,
  user_id         INTEGER,
  -- Waits for its payment: it does not move yet.
  held            INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
  cashback        INTEGER NOT NULL DEFAULT 0 CHECK (cashback >= 0),
  -- Where it is brought, as JSON.
  address         TEXT,
  idempotency_key TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  UNIQUE (kind, idempotency_key)
) STRICT;
CREATE INDEX IF NOT EXISTS orders_unpaid ON orders (created_at) WHERE held = 1;
CREATE INDEX IF NOT EXISTS orders_by_fingerprint ON orders (fingerprint, seq);
CREATE INDEX IF NOT EXISTS orders_by_user ON orders (user_id, seq);

CREATE TABLE IF NOT EXISTS order_lines (
  order_seq  INTEGER NOT NULL REFERENCES orders (seq) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  size_id    INTEGER,
  name       TEXT NOT NULL,
  count      INTEGER NOT NULL CHECK (count BETWEEN 1 AND 99),
  price      INTEGER NOT NULL CHECK (price >= 0),
  -- So many pieces at the promo price, the rest at the regular one (MN-14).
  promo_count INTEGER NOT NULL DEFAULT 0 CHECK (promo_count BETWEEN 0 AND count),
  regular    INTEGER NOT NULL CHECK (regular >= price),
  sum        INTEGER NOT NULL CHECK (sum = price * promo_count + regular * (count - promo_count)),
  additives  TEXT NOT NULL,
  chosen     TEXT NOT NULL DEFAULT '[]',
  comment    TEXT NOT NULL,
  PRIMARY KEY (order_seq, position)
) STRICT, WITHOUT ROWID;

-- Every status that an order has reached; `paced` is the sandbox's stretched time.
CREATE TABLE IF NOT EXISTS order_statuses (
  order_seq INTEGER NOT NULL REFERENCES orders (seq) ON DELETE CASCADE,
  step      INTEGER NOT NULL,
  status    TEXT NOT NULL,
  at        INTEGER NOT NULL,
  paced     REAL NOT NULL,
  reason    TEXT,
  PRIMARY KEY (order_seq, step)
) STRICT, WITHOUT ROWID;

-- What someone chose last for a product, offered again (last_selected).
CREATE TABLE IF NOT EXISTS last_selected (
  owner      TEXT NOT NULL,
  product_id INTEGER NOT NULL,
  additives  TEXT NOT NULL,
  PRIMARY KEY (owner, product_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
  id          INTEGER PRIMARY KEY,
  phone       TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL DEFAULT '',
  second_name TEXT NOT NULL DEFAULT '',
  bday        TEXT,
  gender      TEXT CHECK (gender IN ('male', 'female')),
  language    TEXT NOT NULL DEFAULT 'kk',
  avatar      BLOB,
  avatar_type TEXT,
  bonus       INTEGER NOT NULL DEFAULT 0 CHECK (bonus >= 0),
  money       INTEGER NOT NULL DEFAULT 0 CHECK (money >= 0),
  points      INTEGER NOT NULL DEFAULT 0,
  chat        TEXT,
  deleted_at  INTEGER,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS oauth_codes (
  code         TEXT PRIMARY KEY,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id    TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT,
  expires_at   INTEGER NOT NULL,
  used         INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tracks (
  id         TEXT PRIMARY KEY,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tokens (
  token      TEXT PRIMARY KEY,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS addresses (
  id               INTEGER PRIMARY KEY,
  user_id          INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name             TEXT NOT NULL,
  address          TEXT NOT NULL,
  city             TEXT NOT NULL,
  street           TEXT NOT NULL,
  building         TEXT NOT NULL,
  entrance         TEXT NOT NULL,
  floor            TEXT NOT NULL,
  apartment        TEXT NOT NULL,
  is_private_house INTEGER NOT NULL CHECK (is_private_house IN (0, 1)),
  comment          TEXT NOT NULL,
  latitude         REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude        REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180)
) STRICT;
CREATE INDEX IF NOT EXISTS addresses_by_user ON addresses (user_id, id);

-- Bills of tables, which waiters add to and phones pay in parts.
CREATE TABLE IF NOT EXISTS bills (
  id          TEXT PRIMARY KEY,
  filial_id   INTEGER NOT NULL,
  venue_id    INTEGER NOT NULL,
  table_id    TEXT NOT NULL,
  number      TEXT NOT NULL,
  preorder    INTEGER NOT NULL DEFAULT 0 CHECK (preorder IN (0, 1)),
  user_id     INTEGER,
  closed      INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  closed_at   INTEGER,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS one_open_bill ON bills (venue_id, table_id) WHERE closed = 0 AND preorder = 0;

CREATE TABLE IF NOT EXISTS bill_lines (
  bill_id    TEXT NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  name       TEXT NOT NULL,
  count      INTEGER NOT NULL CHECK (count BETWEEN 1 AND 99),
  price      INTEGER NOT NULL CHECK (price >= 0),
  PRIMARY KEY (bill_id, position)
) STRICT, WITHOUT ROWID;

-- A part of a bill: what someone pays or is about to pay.
CREATE TABLE IF NOT EXISTS bill_payments (
  id         TEXT PRIMARY KEY,
  bill_id    TEXT NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  user_id    INTEGER,
  sum        INTEGER NOT NULL CHECK (sum > 0),
  tips       INTEGER NOT NULL DEFAULT 0 CHECK (tips >= 0),
  bonus      INTEGER NOT NULL DEFAULT 0 CHECK (bonus >= 0),
  cashback   INTEGER NOT NULL DEFAULT 0 CHECK (cashback >= 0),
  status     TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'declined', 'abandoned', 'timed_out', 'refunded')),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How a guest who has paid a part of a bill found it.
CREATE TABLE IF NOT EXISTS bill_grades (
  part    TEXT PRIMARY KEY REFERENCES bill_payments (id) ON DELETE CASCADE,
  grade   INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 5),
  comment TEXT NOT NULL,
  tags    TEXT NOT NULL
) STRICT;

-- Attempts to pay by card or QR: for an order, a part of a bill, tips.
CREATE TABLE IF NOT EXISTS payments (
  id          TEXT PRIMARY KEY,
  subject     TEXT NOT NULL CHECK (subject IN ('order', 'bill', 'tips')),
  subject_id  TEXT NOT NULL,
  sum         INTEGER NOT NULL CHECK (sum > 0),
  currency    TEXT NOT NULL,
  method      TEXT NOT NULL CHECK (method IN ('card', 'qr')),
  status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'declined', 'abandoned', 'timed_out', 'refunded')),
  success_url TEXT NOT NULL,
  failure_url TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS payments_open ON payments (created_at) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS payments_by_subject ON payments (subject, subject_id);

CREATE TABLE IF NOT EXISTS grades (
  order_seq INTEGER PRIMARY KEY REFERENCES orders (seq) ON DELETE CASCADE,
  grade     INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 5),
  comment   TEXT NOT NULL,
  tags      TEXT NOT NULL
) STRICT;

-- One of a guest and a venue; a new one takes its place. The catalogue's own have smaller numbers.
CREATE TABLE IF NOT EXISTS reviews (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  venue_id   INTEGER NOT NULL,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  language   TEXT NOT NULL CHECK (language IN ('kk', 'ru', 'en', 'ka')),
  rating     INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  text       TEXT NOT NULL,
  -- As far as it was set by hand: the moderator reads a pending one in time.
  state      TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'published', 'refused')),
  key        TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (venue_id, user_id)
) STRICT;
INSERT INTO sqlite_sequence (name, seq) SELECT 'reviews', 1000000
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'reviews');

-- Who has told that something is wrong with a review, once each.
CREATE TABLE IF NOT EXISTS review_reports (
  review_id INTEGER NOT NULL,
  reporter  TEXT NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (review_id, reporter)
) STRICT, WITHOUT ROWID;

-- A person's own or a device's, as orders are. The key makes one booking of a call that is sent twice.
CREATE TABLE IF NOT EXISTS bookings (
  id          TEXT PRIMARY KEY,
  user_id     INTEGER REFERENCES users (id) ON DELETE CASCADE,
  fingerprint TEXT NOT NULL,
  key         TEXT,
  body        TEXT NOT NULL,
  filial_id  INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  guests     INTEGER NOT NULL CHECK (guests BETWEEN 1 AND 50),
  name       TEXT NOT NULL,
  phone      TEXT NOT NULL,
  comment    TEXT NOT NULL,
  preorder   TEXT REFERENCES bills (id),
  canceled   INTEGER NOT NULL DEFAULT 0 CHECK (canceled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS bookings_by_user ON bookings (user_id, at);
CREATE INDEX IF NOT EXISTS bookings_by_device ON bookings (fingerprint, at);
CREATE INDEX IF NOT EXISTS bookings_by_place ON bookings (filial_id, at);
CREATE UNIQUE INDEX IF NOT EXISTS one_booking_per_key ON bookings (fingerprint, key) WHERE key IS NOT NULL;

CREATE TABLE IF NOT EXISTS push_tokens (
  token      TEXT PRIMARY KEY,
  user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
  device     TEXT NOT NULL,
  os         TEXT NOT NULL,
  project    TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One open door per fridge.
CREATE TABLE IF NOT EXISTS fridge_sessions (
  id         TEXT PRIMARY KEY,
  filial_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  order_id   TEXT,
  door       TEXT NOT NULL CHECK (door IN ('opening', 'open', 'closed', 'failed')),
  key        TEXT,
  counted    INTEGER,
  opened_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS one_open_door ON fridge_sessions (filial_id) WHERE door IN ('opening', 'open');

-- Locks that a control has spoilt.
CREATE TABLE IF NOT EXISTS locks (
  filial_id INTEGER PRIMARY KEY,
  state     TEXT NOT NULL CHECK (state IN ('broken', 'slow', 'jammed'))
) STRICT;

-- What was taken out of a fridge beside what its guest has scanned.
CREATE TABLE IF NOT EXISTS fridge_taken (
  filial_id  INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  count      INTEGER NOT NULL,
  PRIMARY KEY (filial_id, product_id)
) STRICT, WITHOUT ROWID;
