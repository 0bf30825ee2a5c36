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
  details         TEXT NOT NULL DEFAULT '{}',
  idempotency_key TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  UNIQUE (kind, idempotency_key)
) STRICT;
CREATE INDEX IF NOT EXISTS orders_by_fingerprint ON orders (fingerprint, seq);

CREATE TABLE IF NOT EXISTS order_lines (
  order_seq  INTEGER NOT NULL REFERENCES orders (seq) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  size_id    INTEGER,
  name       TEXT NOT NULL,
  count      INTEGER NOT NULL CHECK (count BETWEEN 1 AND 99),
  price      INTEGER NOT NULL CHECK (price >= 0),
  sum        INTEGER NOT NULL CHECK (sum = price * count),
  additives  TEXT NOT NULL,
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
