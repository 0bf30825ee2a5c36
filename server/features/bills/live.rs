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
use futures_util::{StreamExt as _, stream};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::{BillPage, BillState, page::View, settle::settled, target::Target};
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

/// What the page of one guest is made of.
struct Watch {
    view: View,
    app: App,
    caller: Caller,
    target: Target,
}

impl Watch {
    /// The page of a reading. That the guest's bill is over is not taken from a reading that may be of a moment before it
    /// was opened: it is asked for once more.
    async fn page(&self, reading: &Reading) -> Option<BillPage> {
        let now = self.app.state.clock().now();
        if let Some(bill) = self.same(reading.bill.as_ref()) {
            return Some(self.view.page(bill, &reading.shared, now));
        }
        let known = self.view.bill.as_ref();
        let (bill, shared) = read(&self.app, &self.caller, &self.target, known)
            .await
            .ok()?;
        Some(match self.same(bill.as_ref()) {
            Some(bill) => self.view.page(bill, &shared, now),
            None => self.view.without(BillState::Closed, &Tab::default(), now),
        })
    }

    /// The bill, if it is the one that the guest has seen.
    fn same<'a>(&self, bill: Option<&'a Bill>) -> Option<&'a Bill> {
        let seen = self.view.bill.as_ref();
        bill.filter(|bill| seen.is_none_or(|seen| *seen == bill.id))
    }
}

async fn answer(bills: Bills, visit: Visit, target: Option<Target>) -> Result<Response, Error> {
    let target = target.ok_or(Error::NotFound("bill"))?;
    let place = Place::of(&visit).await;
    let caller = visit.personal_caller().await;
    // Whatever changes from now on comes by the reader; what is there already, the guest's own first reading tells.
    let mut changes = bills.watch(&visit.app, caller.clone(), target.clone());
    changes.mark_unchanged();
    let mut view = View::of(&visit, &place, Some(target.clone()), target.filial()).await;
    let own = read(&visit.app, &caller, &target, view.bill.as_ref()).await;
    let first = own.ok().map(|(bill, shared)| Reading {
        bill,
        shared,
        rev: 0,
    });
    if let Some(bill) = first.as_ref().and_then(|first| first.bill.as_ref())
        && view.bill.as_ref().is_none_or(|seen| *seen == bill.id)
    {
        let filial = bill.filial.filter(|_| target.filial().is_none());
        if filial.is_some() {
            view = View::of(&visit, &place, Some(target.clone()), filial).await;
        }
        view.learn(bill);
    }
    let watch = Arc::new(Watch {
        view,
        app: visit.app.clone(),
        caller,
        target,
    });
    let first = stream::iter(first.map(|first| Some(Arc::new(first))));
    let readings = first
        .chain(WatchStream::from_changes(changes))
        .filter_map(move |reading| {
            let watch = Arc::clone(&watch);
            async move {
                let reading = reading?;
                let page = watch.page(&reading).await?;
                let event = Event::default().id(reading.rev.to_string());
                event.json_data(&page).ok().map(Ok::<_, Infallible>)
            }
        });
    Ok(event_stream::answer(readings, bills.0.closing.subscribe()))
}
