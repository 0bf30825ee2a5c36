//! The live bill: what a waiter adds, what friends choose and pay. One reader asks the upstream for each bill and
//! language, however many guests look at it (beyond.md, 17).

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Path, State},
    response::{Response, sse::Event},
};
use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::{
    BillState,
    page::View,
    settle::settled,
    target::Target,
};
use crate::{
    error::Error,
    features::place::Place,
    state::bills::Tab,
    upstream::{self, Bill, BillId, Caller, Fingerprint},
    values::Lang,
    web::{app::App, event_stream, visit::Visit},
};

/// Between two readings.
const EVERY: Duration = Duration::from_secs(1);
/// After a failure, doubled up to this.
const SLOWEST: Duration = Duration::from_secs(15);

/// What is known of a bill at one moment.
#[derive(Debug, Clone, PartialEq)]
struct Reading {
    /// None: the table has no bill any more.
    bill: Option<Bill>,
    /// What its guests share; of the last bill, when there is none any more.
    shared: Tab,
    /// Grows with each change.
    rev: u64,
}

type Last = Option<Arc<Reading>>;
/// A preorder is read by its owner alone: by the device and the sign-in of one session.
type Key = (Target, Lang, Option<Fingerprint>);

/// Bills that are watched now; cloning shares them.
#[derive(Clone)]
pub struct Bills(Arc<Watched>);

struct Watched {
    running: Mutex<HashMap<Key, watch::Receiver<Last>>>,
    closing: watch::Sender<bool>,
}

impl Default for Bills {
    fn default() -> Self {
        Self(Arc::new(Watched {
            running: Mutex::default(),
            closing: watch::channel(false).0,
        }))
    }
}

impl Bills {
    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Readings of a bill, the last one first. The first caller starts the reader; it ends with its last guest.
    fn watch(&self, app: &App, caller: Caller, target: Target) -> watch::Receiver<Last> {
        let (caller, owner) = match &target {
            // What everybody at the table may see is asked for by nobody.
            Target::Table { .. } => (Caller::guest(caller.lang, caller.country), None),
            Target::Preorder(_) => {
                let owner = caller.fingerprint.clone();
                (caller, owner)
            }
        };
        let key: Key = (target, caller.lang, owner);
        let mut running = self.running();
        running.retain(|_, reader| reader.has_changed().is_ok());
        if let Some(reader) = running.get(&key) {
            return reader.clone();
        }
        let (sender, reader) = watch::channel(None);
        running.insert(key.clone(), reader.clone());
        drop(running);
        tokio::spawn(run(self.clone(), app.clone(), caller, key, sender));
        reader
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Key, watch::Receiver<Last>>> {
        self.0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

async fn run(bills: Bills, app: App, caller: Caller, key: Key, sender: watch::Sender<Last>) {
    let mut pause = EVERY;
    let mut known: Option<BillId> = None;
    loop {
        match read(&app, &caller, &key.0, known.as_ref()).await {
            Ok((bill, shared)) => {
                pause = EVERY;
                if let Some(bill) = &bill {
                    known = Some(bill.id.clone());
                }
                sender.send_if_modified(|last| {
                    let rev = last.as_ref().map_or(0, |last| last.rev);
                    let same = last
                        .as_ref()
                        .is_some_and(|last| last.bill == bill && last.shared == shared);
                    if !same {
                        let rev = rev + 1;
                        *last = Some(Arc::new(Reading { bill, shared, rev }));
                    }
                    !same
                });
            }
            // The page itself says what has become of the sign-in.
            Err(Error::Upstream(upstream::Error::Unauthorized)) => break,
            Err(_) => pause = (pause * 2).min(SLOWEST),
        }
        tokio::time::sleep(pause).await;
        // The map itself holds one reader.
        if sender.receiver_count() <= 1 {
            let mut running = bills.running();
            if sender.receiver_count() <= 1 {
                running.remove(&key);
                break;
            }
        }
    }
}

async fn read(
    app: &App,
    caller: &Caller,
    target: &Target,
    known: Option<&BillId>,
) -> Result<(Option<Bill>, Tab), Error> {
    let bill = match target.read(&app.upstream, caller).await {
        Ok(bill) => Some(bill).filter(|bill| !bill.is_closed),
        Err(upstream::Error::NotFound) => None,
        Err(error) => return Err(Error::Upstream(error)),
    };
    let shared = match bill.as_ref().map(|bill| &bill.id).or(known) {
        Some(id) => settled(app, caller, id.as_str()).await?,
        None => Tab::default(),
    };
    Ok((bill, shared))
}

/// Answers `GET …/bill/events`: the bill of now first, then each change, as whole pages of this guest.
///
/// # Errors
/// Not found for an address that names no bill.
pub async fn of_table(
    State(bills): State<Bills>,
    visit: Visit,
    Path(filial): Path<String>,
) -> Result<Response, Error> {
    let target = Target::of(&visit, &filial, "").await?;
    answer(bills, visit, target).await
}

/// Answers `GET /bills/preorder/{id}/events`: to whoever has booked.
///
/// # Errors
/// Not found for an address that names no bill, or without a sign-in.
pub async fn of_preorder(
    State(bills): State<Bills>,
    visit: Visit,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    if visit.signed_in.is_none() {
        return Err(Error::NotFound("bill"));
    }
    let target = Target::of(&visit, "", &id).await?;
    answer(bills, visit, target).await
}

async fn answer(bills: Bills, visit: Visit, target: Option<Target>) -> Result<Response, Error> {
    let target = target.ok_or(Error::NotFound("bill"))?;
    let place = Place::of(&visit).await;
    let caller = visit.personal_caller().await;
    let own = async {
        // What the upstream tells this guest alone does not change while they look.
        match visit.signed_in {
            Some(_) => target.read(&visit.app.upstream, &caller.optional()).await.ok(),
            None => None,
        }
    };
    let own = own.await;
    let filial = target
        .filial()
        .or_else(|| own.as_ref().and_then(|bill| bill.filial));
    let mut view = View::of(&visit, &place, Some(target.clone()), filial).await;
    if let Some(own) = own.filter(|own| view.bill.as_ref().is_none_or(|seen| *seen == own.id)) {
        view.learn(&own);
    }
    let clock = visit.app.state.clock().clone();
    let readings = bills.watch(&visit.app, caller, target);
    let readings = WatchStream::new(readings).filter_map(move |reading| {
        let event = reading.and_then(|reading| {
            let Reading { bill, shared, rev } = &*reading;
            let now = clock.now();
            let same = bill
                .as_ref()
                .filter(|bill| view.bill.as_ref().is_none_or(|seen| *seen == bill.id));
            let page = match same {
                Some(bill) => view.page(bill, shared, now),
                None => view.without(BillState::Closed, shared, now),
            };
            Event::default()
                .id(rev.to_string())
                .json_data(&page)
                .ok()
        });
        std::future::ready(event.map(Ok::<_, Infallible>))
    });
    Ok(event_stream::answer(readings, bills.0.closing.subscribe()))
}
