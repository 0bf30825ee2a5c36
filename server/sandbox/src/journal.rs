//! The last requests, for tests and for people who look what the product asks.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::Serialize;

use crate::clock::{iso, real_now};

const MOST: usize = 5000;
const LONGEST_BODY: usize = 8192;

/// One request as it came, and what became of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
    pub(crate) at: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
    /// Missing while it is unanswered (and for ever after a hang or a reset).
    pub(crate) status: Option<u16>,
    /// The faults that it met.
    pub(crate) faults: Vec<String>,
    pub(crate) micros: Option<u64>,
    /// The number of the first request that comes after its answer.
    pub(crate) then: Option<u64>,
}

/// A ring of the last requests.
#[derive(Default)]
pub(crate) struct Journal {
    inner: Mutex<Ring>,
}

#[derive(Default)]
struct Ring {
    next: u64,
    entries: VecDeque<Entry>,
}

impl Journal {
    /// Notes a request and gives its number.
    pub(crate) fn begin(&self, parts: &Parts, body: &[u8], faults: Vec<String>) -> u64 {
        let body = body.get(..LONGEST_BODY).unwrap_or(body);
        let mut ring = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let seq = ring.next;
        ring.next += 1;
        if ring.entries.len() >= MOST {
            ring.entries.pop_front();
        }
        ring.entries.push_back(Entry {
            seq,
            at: iso(real_now()),
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or("").to_owned(),
            headers: plain(&parts.headers),
            body: String::from_utf8_lossy(body).into_owned(),
            status: None,
            faults,
            micros: None,
            then: None,
        });
        seq
    }

    pub(crate) fn end(&self, seq: u64, status: u16, micros: u64) {
        let mut ring = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let next = ring.next;
        let found = ring.entries.iter_mut().rev().find(|entry| entry.seq == seq);
        if let Some(entry) = found {
            entry.status = Some(status);
            entry.micros = Some(micros);
            entry.then = Some(next);
        }
    }

    /// The newest requests under a path prefix, oldest first.
    pub(crate) fn last(&self, path: &str, method: Option<&str>, limit: usize) -> Vec<Entry> {
        let ring = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = |entry: &&Entry| {
            entry.path.starts_with(path)
                && method.is_none_or(|method| entry.method.eq_ignore_ascii_case(method))
        };
        let mut found: Vec<Entry> = ring
            .entries
            .iter()
            .rev()
            .filter(mine)
            .take(limit)
            .cloned()
            .collect();
        found.reverse();
        found
    }

    pub(crate) fn clear(&self) {
        self.inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entries
            .clear();
    }
}

fn plain(headers: &HeaderMap) -> BTreeMap<String, String> {
    let pairs = headers.iter().map(|(name, value)| {
        (
            name.to_string(),
            String::from_utf8_lossy(value.as_bytes()).into_owned(),
        )
    });
    pairs.collect()
}
