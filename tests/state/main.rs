//! The state through its public types: sessions, carts, idempotency records.
