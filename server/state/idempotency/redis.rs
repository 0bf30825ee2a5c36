//! Idempotency records: a hash each, and a list of those that a server may have to send again.

use std::sync::LazyLock;

use redis::Script;

use super::{
    LEASE, LIFETIME,
    record::{Next, Phase, Record, Taken, Wanted},
};
use crate::state::{
    Error,
    clock::millis,
    redis::{ALIVE, PREFIX, Redis, owner_key},
};

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("take.lua")));
static FINISH: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("finish.lua")));
static LEAVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("leave.lua")));
static OPEN: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("open.lua")));

/// In the order of [`Fields`].
const FIELDS: [&str; 9] = [
    "body_hash",
    "body",
    "phase",
    "owner",
    "lease_until",
    "answer",
    "created_at",
    "updated_at",
    "expires_at",
];
type Fields = (
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<Vec<u8>>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

impl Redis {
    pub(in crate::state) async fn take_lease(&self, wanted: &Wanted) -> Result<Taken, Error> {
        let owner = self.owner();
        let mut take = TAKE.prepare_invoke();
        take.key(record_key(&wanted.key))
            .key(open_key())
            .key(owner_key(owner))
            .arg(owner_key(""))
            .arg(owner)
            .arg(millis(ALIVE))
            .arg(&wanted.key)
            .arg(wanted.body_hash.as_slice())
            .arg(&wanted.body)
            .arg(wanted.now)
            .arg(wanted.now + millis(LEASE))
            .arg(wanted.now + millis(LIFETIME))
            .arg(millis(LIFETIME))
            .arg(u8::from(wanted.is_of_server));
        let (word, value): (String, Option<Vec<u8>>) = self.run("write", &take).await?;
        match (word.as_str(), value) {
            ("new", _) => Ok(Taken::New),
            ("held", _) => Ok(Taken::InFlight),
            ("mismatch", _) => Ok(Taken::Mismatch),
            ("done", answer) => Ok(Taken::Done(answer)),
            ("orphaned", Some(body)) => Ok(Taken::Orphaned(body)),
            _ => Err(Error::Corrupt(
                "idempotency: a record without a body".to_owned(),
            )),
        }
    }

    pub(in crate::state) async fn finish_lease(
        &self,
        key: &str,
        answer: &[u8],
        now: i64,
    ) -> Result<(), Error> {
        let mut finish = FINISH.prepare_invoke();
        finish
            .key(record_key(key))
            .key(open_key())
            .arg(key)
            .arg(answer)
            .arg(now)
            .arg(now + millis(LIFETIME))
            .arg(millis(LIFETIME));
        self.run("write", &finish).await
    }

    pub(in crate::state) async fn return_lease(
        &self,
        key: &str,
        next: Next,
        now: i64,
    ) -> Result<(), Error> {
        let how = match next {
            Next::Anyone => "unknown",
            Next::Guest => "guest",
        };
        self.leave(key, how, now).await
    }

    pub(in crate::state) async fn drop_lease(&self, key: &str) -> Result<(), Error> {
        self.leave(key, "forget", 0).await
    }

    pub(in crate::state) async fn record(&self, key: &str) -> Result<Option<Record>, Error> {
        let mut read = redis::cmd("HMGET");
        read.arg(record_key(key)).arg(&FIELDS);
        Ok(record_of(key, self.query("read", &read).await?))
    }

    pub(in crate::state) async fn open_records(
        &self,
        now: i64,
        limit: u32,
    ) -> Result<Vec<Record>, Error> {
        let mut open = OPEN.prepare_invoke();
        open.key(open_key())
            .arg(record_key(""))
            .arg(owner_key(""))
            .arg(now)
            .arg(limit);
        let keys: Vec<String> = self.run("read", &open).await?;
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut read = redis::pipe();
        for key in &keys {
            read.cmd("HMGET").arg(record_key(key)).arg(&FIELDS);
        }
        let found: Vec<Fields> = self.pipe("read", &read).await?;
        let records = keys.iter().zip(found);
        Ok(records
            .filter_map(|(key, fields)| record_of(key, fields))
            .collect())
    }

    async fn leave(&self, key: &str, how: &str, now: i64) -> Result<(), Error> {
        let mut leave = LEAVE.prepare_invoke();
        leave
            .key(record_key(key))
            .key(open_key())
            .arg(key)
            .arg(self.owner())
            .arg(how)
            .arg(now);
        self.run("write", &leave).await
    }
}

fn record_of(key: &str, fields: Fields) -> Option<Record> {
    let (body_hash, body, phase, owner, lease_until, answer, created_at, updated_at, expires_at) =
        fields;
    Some(Record {
        key: key.to_owned(),
        body_hash: body_hash?,
        body: body?,
        phase: Phase::from_word(&phase?),
        owner: owner?,
        lease_until: lease_until?,
        answer,
        created_at: created_at?,
        updated_at: updated_at?,
        expires_at: expires_at?,
    })
}

fn record_key(key: &str) -> String {
    format!("{PREFIX}idempotency:{key}")
}

fn open_key() -> String {
    format!("{PREFIX}open")
}
