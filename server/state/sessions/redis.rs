//! Rows of sessions: a hash each, with a version that grows with each write.

use std::sync::LazyLock;

use redis::{Script, ScriptInvocation};
use tower_sessions::session_store;

use super::rows::{AT_ONCE, Name, Next, Page, Row, Writes};
use crate::state::{
    Error,
    redis::{PREFIX, Redis},
    texts::{backoff, redis::text_key},
};

static CHANGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("change.lua")));

/// Twenty who write to one session at the same moment are the most that is expected.
const ATTEMPTS: u32 = 200;

/// In the order of [`Fields`].
const FIELDS: [&str; 5] = ["version", "data", "touched_at", "idle_until", "ends_at"];
type Fields = (
    Option<i64>,
    Option<Vec<u8>>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

impl Redis {
    pub(in crate::state) async fn session(&self, name: &Name) -> Result<Option<Row>, Error> {
        Ok(self.versioned(name).await?.map(|(_, row)| row))
    }

    pub(in crate::state) async fn add_session(
        &self,
        name: &Name,
        row: &Row,
        now: i64,
    ) -> Result<(), Error> {
        let key = row_key(name);
        let mut add = redis::pipe();
        add.atomic()
            .cmd("HSET")
            .arg(&key)
            .arg("version")
            .arg(1)
            .arg("data")
            .arg(&row.data)
            .arg("touched_at")
            .arg(row.touched_at)
            .arg("idle_until")
            .arg(row.idle_until)
            .arg("ends_at")
            .arg(row.ends_at)
            .ignore()
            .cmd("PEXPIRE")
            .arg(&key)
            .arg(row.end() - now)
            .ignore();
        self.pipe("write", &add).await
    }

    pub(in crate::state) async fn delete_session(&self, name: &Name) -> Result<(), Error> {
        let mut delete = redis::cmd("DEL");
        delete.arg(row_key(name));
        self.query("write", &delete).await
    }

    /// Repeated until no other process writes between the read and the write.
    pub(in crate::state) async fn change_session<T>(
        &self,
        name: &Name,
        now: i64,
        change: impl Fn(Row) -> session_store::Result<(Writes, T)>,
    ) -> session_store::Result<Option<T>> {
        for attempt in 0..ATTEMPTS {
            let found = self.versioned(name).await?;
            let Some((version, row)) = found.filter(|(_, row)| row.lives(now)) else {
                return Ok(None);
            };
            let (writes, answer) = change(row)?;
            if matches!(writes.row, Next::Stays) && writes.other.is_none() {
                return Ok(Some(answer));
            }
            if self.write(name, version, &writes, now).await? {
                return Ok(Some(answer));
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::Contended(ATTEMPTS).into())
    }

    /// Looks through all names of the server: `after` is where it had come to, empty at the begin.
    pub(in crate::state) async fn sessions_after(&self, after: &[u8]) -> Result<Page, Error> {
        let begin: &[u8] = b"0";
        let mut scan = redis::cmd("SCAN");
        scan.arg(if after.is_empty() { begin } else { after })
            .arg("MATCH")
            .arg(format!("{PREFIX}session:*"))
            .arg("COUNT")
            .arg(AT_ONCE);
        let (next, keys): (Vec<u8>, Vec<String>) = self.query("read", &scan).await?;
        let next = (next != begin).then_some(next);
        let names = keys.iter().filter_map(|key| name_in(key));
        let names: Vec<Name> = names.collect();
        if names.is_empty() {
            return Ok((Vec::new(), next));
        }
        let mut read = redis::pipe();
        for name in &names {
            read.cmd("HMGET").arg(row_key(name)).arg(&FIELDS);
        }
        let rows: Vec<Fields> = self.pipe("read", &read).await?;
        let rows = names
            .into_iter()
            .zip(rows)
            .filter_map(|(name, fields)| Some((name, read_row(fields)?.1)))
            .collect();
        Ok((rows, next))
    }

    async fn versioned(&self, name: &Name) -> Result<Option<(i64, Row)>, Error> {
        let mut read = redis::cmd("HMGET");
        read.arg(row_key(name)).arg(&FIELDS);
        Ok(read_row(self.query("read", &read).await?))
    }

    async fn write(
        &self,
        name: &Name,
        version: i64,
        writes: &Writes,
        now: i64,
    ) -> Result<bool, Error> {
        let mut change = CHANGE.prepare_invoke();
        let other = writes.other.as_ref();
        // A cluster takes names of one node only, unused ones too.
        let unused = || PREFIX.to_owned();
        change
            .key(row_key(name))
            .key(other.map_or_else(unused, |(name, _)| row_key(name)));
        let (from, to) = writes.copy.as_ref().map_or_else(
            || (unused(), unused()),
            |copy| (text_key(copy.0.as_str()), text_key(copy.1.as_str())),
        );
        change.key(from).key(to).arg(version);
        let (word, row) = match &writes.row {
            Next::Stays => ("stays", None),
            Next::Becomes(row) => ("becomes", Some(row)),
            Next::Goes => ("goes", None),
        };
        change.arg(word);
        put(&mut change, row, now);
        change.arg(u8::from(other.is_some()));
        put(&mut change, other.map(|(_, row)| row), now);
        change.arg(u8::from(writes.copy.is_some()));
        self.run("write", &change).await
    }
}

/// The arguments of a row, or as many empty ones.
fn put(change: &mut ScriptInvocation<'_>, row: Option<&Row>, now: i64) {
    match row {
        Some(row) => change
            .arg(&row.data)
            .arg(row.touched_at)
            .arg(row.idle_until)
            .arg(row.ends_at)
            .arg(row.end() - now),
        None => change.arg("").arg("").arg("").arg("").arg(""),
    };
}

fn read_row((version, data, touched_at, idle_until, ends_at): Fields) -> Option<(i64, Row)> {
    let row = Row {
        data: data?,
        touched_at: touched_at?,
        idle_until: idle_until?,
        ends_at: ends_at?,
    };
    Some((version?, row))
}

fn row_key(name: &Name) -> String {
    format!("{PREFIX}session:{}", hex::encode(name))
}

fn name_in(key: &str) -> Option<Name> {
    let text = key.strip_prefix(PREFIX)?.strip_prefix("session:")?;
    let mut name = Name::default();
    hex::decode_to_slice(text, &mut name).ok()?;
    Some(name)
}
