//! What all stores stand on: SQLite on one machine, or a Redis or Valkey that several machines share.

use super::{db::Db, owner::Owner, redis::Redis};

/// The one that `STATE_URL` chooses; cloning shares it. Each store says beside its rules what it asks of either.
#[derive(Debug, Clone)]
pub(super) enum Engine {
    /// A file of this machine, and which of its processes this is.
    Sqlite { db: Db, owner: Owner },
    /// A server that all instances reach.
    Redis(Redis),
}
