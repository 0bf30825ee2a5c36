//! The live bill: what a waiter adds, what friends choose and pay. One reader asks the upstream for each bill and
//! language, however many guests look at it (beyond.md, 17).

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{Path, State},
    response::{Response, sse::Event},
};
use futures_util::{StreamExt as _, stream};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::{
    BillPage, BillState, again,
    page::View,
    settle::{settled, settled_open},
    tab,
    target::{Target, expect_table},
    way::WaitLimits,
};
use crate::{
    error::Error,
    features::place::Place,
    keys::seal,
    state::bills::Tab,
    upstream::{self, Bill, BillId, Caller},
    values::Lang,
    web::{
        app::App,
        events::{
            self,
            readers::{self, Last, Readers, Telling},
        },
        visit::Visit,
    },
};

/// Between two readings.
const INTERVAL: Duration = Duration::from_secs(1);

/// What is known of a bill at one moment.
#[derive(Debug, Clone)]
struct Reading {
    /// None: the table has no bill any more.
    bill: Option<Bill>,
    /// What its guests share; of the last bill once that is closed.
    shared: Tab,
    /// How many parts wait too long: no change of the record tells that time has passed.
    late: usize,
    /// Grows with each change.
    rev: u64,
    /// When it was begun.
    since: Instant,
}

/// What is read: a table's bill in one language for all who look at it. A preorder is its owner's alone, and no name that
/// a session might lack tells one guest from another: each of its streams has a reader of its own.
type Key = (Target, Lang, Option<String>);

impl Reading {
    /// Whether a page shows both as the same.
    fn says(&self, other: &Self) -> bool {
        self.bill == other.bill && self.shared == other.shared && self.late == other.late
    }
}

/// Bills that are watched now; cloning shares them.
#[derive(Clone, Default)]
pub struct Bills(Readers<Key, Reading>);

impl Bills {
    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.close();
    }

    /// Readings of a bill, the last one first.
    fn watch(&self, app: &App, caller: Caller, target: Target) -> watch::Receiver<Last<Reading>> {
        let (caller, owner) = match &target {
            // What all at the table may see is read without a guest's account.
            Target::Table { .. } => (Caller::guest(caller.lang, caller.country), None),
            Target::Preorder(_) => (caller, Some(seal::random_name())),
        };
        let key: Key = (target.clone(), caller.lang, owner);
        let app = app.clone();
        self.0
            .watch(key, |telling| run(app, caller, target, telling))
    }
}

async fn run(app: App, caller: Caller, target: Target, telling: Telling<Key, Reading>) {
    let mut pause = INTERVAL;
    let mut known: Option<BillId> = None;
    loop {
        let since = Instant::now();
        match read(&app, &caller, &target, known.as_ref()).await {
            Ok((bill, shared)) => {
                pause = INTERVAL;
                if let Some(bill) = &bill {
                    known = Some(bill.id.clone());
                }
                let late = WaitLimits::of(&app).count(&shared, app.state.clock().now());
                // Each look is told, also one that finds the same: a page that has begun with a look of its own in
                // between has seen something else.
                telling.sender.send_modify(|last| {
                    let rev = last.as_ref().map_or(0, |last| last.rev);
                    let mut reading = Reading {
                        bill,
                        shared,
                        late,
                        rev,
                        since,
                    };
                    // One that finds the same is newer all the same: else each stream that began since the last change
                    // would look for itself.
                    if !last.as_ref().is_some_and(|last| last.says(&reading)) {
                        reading.rev += 1;
                    }
                    *last = Some(Arc::new(reading));
                });
            }
            // The page itself says what has become of the sign-in.
            Err(Error::Upstream(upstream::Error::Unauthorized)) => break,
            Err(_) => pause = readers::slower(pause),
        }
        if !telling.rest(pause).await {
            break;
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
    let shared = match (&bill, known) {
        (Some(bill), _) => settled_open(app, caller, bill).await?,
        (None, Some(known)) => settled(app, caller, known.as_str()).await?,
        (None, None) => Tab::default(),
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
    Path(venue): Path<String>,
) -> Result<Response, Error> {
    let target = Target::of(&visit, &venue, "").await?;
    answer(bills, visit, target).await
}

/// Answers `GET /bills/preorder/{id}/events` to the guest who has booked.
///
/// # Errors
/// Not found for an address that names no bill, without a sign-in, or for another guest's; when the upstream does
/// not say whose it is.
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
    /// A reading; begun before the guest's own first one was done, it may know less than that, and is made once more.
    async fn newer(&self, reading: Last<Reading>, first: Instant) -> Last<Reading> {
        let reading = reading?;
        if reading.since >= first {
            return Some(reading);
        }
        let (bill, shared) = self.read_again().await?;
        Some(Arc::new(Reading {
            bill,
            shared,
            late: reading.late,
            rev: reading.rev,
            since: first,
        }))
    }

    /// What the bill is by now, in a task of its own as the reader's are: the payment of another that it finds is none of
    /// this guest's.
    async fn read_again(&self) -> Option<(Option<Bill>, Tab)> {
        let (app, caller) = (self.app.clone(), self.caller.clone());
        let (target, known) = (self.target.clone(), self.view.bill.clone());
        let read = tokio::spawn(async move { read(&app, &caller, &target, known.as_ref()).await });
        read.await.ok()?.ok()
    }

    /// The page of a reading. That the guest's bill is over is not taken from a reading that may be of a moment before it
    /// was opened: it is asked for once more.
    async fn page(&self, reading: &Reading) -> Option<BillPage> {
        let now = self.app.state.clock().now();
        if let Some(bill) = self.same(reading.bill.as_ref()) {
            return Some(self.view.page(bill, &reading.shared, now));
        }
        let (bill, shared) = self.read_again().await?;
        Some(match self.same(bill.as_ref()) {
            Some(bill) => self.view.page(bill, &shared, now),
            // The guest's own parts come with the page that is asked for next.
            None => BillPage {
                // Where the table has another bill, what is shared is of that one.
                paid_in_full: bill.is_none() && tab::is_paid_in_full(&shared),
                ..self.view.without(BillState::Closed, &Tab::default(), now)
            },
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
    target.look_up(&visit).await?;
    let place = Place::of(&visit).await;
    let caller = visit.personal_caller().await;
    // Before anything is told of a preorder the upstream says that it is this guest's (S-13).
    if matches!(target, Target::Preorder(_)) {
        let own = target.read(&visit.app.upstream, &caller).await;
        own.map_err(|error| match error {
            upstream::Error::NotFound => Error::NotFound("bill"),
            error => Error::Upstream(error),
        })?;
    }
    // Whatever changes from now on comes by the reader; what is there already, the guest's own first reading tells.
    let mut changes = bills.watch(&visit.app, caller.clone(), target.clone());
    changes.mark_unchanged();
    let mut view = View::of(&visit, &place, Some(target.clone()), target.venue()).await;
    let mut own = read(&visit.app, &caller, &target, view.bill.as_ref()).await;
    if matches!(own, Ok((None, _))) {
        expect_table(&visit, None, Some(&target)).await?;
    }
    // The page may have been fetched ahead of the tap, which changes nothing.
    if let Ok((Some(bill), shared)) = &mut own {
        view.begin_session().await;
        if view.is_choosing() {
            again::choose(&visit, bill, &view.guest, shared).await?;
        }
    }
    let since = Instant::now();
    let first = own.ok().map(|(bill, shared)| Reading {
        bill,
        shared,
        late: 0,
        rev: 0,
        since,
    });
    if let Some(bill) = first.as_ref().and_then(|first| first.bill.as_ref())
        && view.bill.as_ref().is_none_or(|seen| *seen == bill.id)
    {
        let venue = bill.venue.filter(|_| target.venue().is_none());
        if venue.is_some() {
            view = View::of(&visit, &place, Some(target.clone()), venue).await;
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
    let reader = Arc::clone(&watch);
    let later = WatchStream::from_changes(changes).then(move |reading| {
        let watch = Arc::clone(&reader);
        async move { watch.newer(reading, since).await }
    });
    let mut last_sent: Last<Reading> = None;
    let readings = first.chain(later).filter_map(move |reading| {
        let reading = reading.filter(|reading| {
            !last_sent
                .as_ref()
                .is_some_and(|last_sent| last_sent.says(reading))
        });
        if reading.is_some() {
            last_sent.clone_from(&reading);
        }
        let watch = Arc::clone(&watch);
        async move {
            let reading = reading?;
            let page = watch.page(&reading).await?;
            let event = Event::default().id(reading.rev.to_string());
            event.json_data(&page).ok().map(Ok::<_, Infallible>)
        }
    });
    Ok(events::answer(readings, bills.0.closing()))
}
