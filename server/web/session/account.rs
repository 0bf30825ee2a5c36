//! What the upstream gave for a signed-in guest (AU-07, AU-08, AU-14).
//!
//! It lives in the sealed session and goes nowhere but to the upstream (S-01, ZZ-21). The upstream has no refresh
//! tokens: a track of the same person is what another bearer is had for.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde::{Deserialize, Serialize};
use tower_sessions::{SessionStore as _, session::Id};
use tracing::Instrument as _;

use super::{Key, Sess, Unavailable, unavailable};
use crate::{
    state::{Clock, State, sessions::Sessions},
    upstream::{Bearer, Caller, Error, Grant, Renewal, Renewed, TrackId, Upstream, UserId},
};

/// A purchase of a track that came to nothing is tried again after so long, milliseconds.
const TRACK_AGAIN: i64 = 60_000;

/// The token of a signed-in guest, and what renews it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Account {
    /// Goes with every personal call.
    pub bearer: Bearer,
    /// Buys another bearer without the guest; without one a lost bearer ends the sign-in.
    pub track: Option<TrackId>,
    /// When another track is to be bought, milliseconds since the epoch: a track ends, too, so every bearer buys the next
    /// one. None: this bearer has, or there is no track, which is to be bought at once.
    pub track_due: Option<i64>,
    /// The track of a host app that the guest came with: the app is not asked to sign in again with it (AU-04).
    pub handed: Option<TrackId>,
    /// Who it is; tells a second sign-in of the same guest from one of another guest.
    pub user: Option<UserId>,
}

/// A deleted account whose guest has signed in, for the one step to its restoring (AU-16).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restorable {
    /// What signs the guest in once it is restored.
    pub account: Account,
    /// Milliseconds since the epoch; after that it takes another sign-in.
    pub until: i64,
}

/// As it is written into the sealed session.
#[derive(Serialize, Deserialize)]
struct Stored {
    bearer: String,
    track: Option<TrackId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    track_due: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    handed: Option<TrackId>,
    #[serde(default)]
    user: Option<UserId>,
}

/// A signed-in guest of one request.
#[derive(Clone)]
pub struct SignedIn {
    bearer: Bearer,
    renewal: Renewal,
    over: Arc<AtomicBool>,
}

/// What a renewal needs; it may outlive the request that began it.
struct Renewing {
    upstream: Upstream,
    store: Sessions,
    clock: Clock,
    session: Id,
    caller: Caller,
}

impl Sess {
    /// What the upstream gave for the guest, if signed in.
    pub async fn account(&self) -> Option<Account> {
        self.get(Key::Account).await
    }

    /// Whose the things in the session are: who is signed in, or was until the upstream ended it (S-16).
    pub async fn last_user(&self) -> Option<UserId> {
        match self.account().await {
            Some(account) => account.user,
            None => self.get(Key::LastUser).await,
        }
    }

    /// When the guest signed in, milliseconds since the epoch.
    pub async fn signed_in_at(&self) -> Option<i64> {
        self.get(Key::SignedInAt).await
    }

    /// The deleted account that waits to be restored, if there is one.
    pub async fn restorable(&self, now: i64) -> Option<Account> {
        let stored: Restorable = self.get(Key::Restorable).await?;
        (now < stored.until).then_some(stored.account)
    }

    /// Forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn forget_restorable(&self) -> Result<(), Unavailable> {
        self.set::<()>(Key::Restorable, None).await
    }

    /// The signed-in guest of this visit. `caller` asks for another bearer, and has none itself.
    pub async fn signed_in(
        &self,
        upstream: &Upstream,
        state: &State,
        caller: Caller,
    ) -> Option<SignedIn> {
        let account = self.account().await?;
        let session = self.id()?;
        let renewing = Arc::new(Renewing {
            upstream: upstream.clone(),
            store: state.sessions(),
            clock: state.clock().clone(),
            session,
            caller,
        });
        if account.is_track_due(renewing.clock.now()) {
            let buying = Arc::clone(&renewing);
            tokio::spawn(async move { buying.complete().await }.in_current_span());
        }
        let over = Arc::new(AtomicBool::new(false));
        let (ending, is_over) = (Arc::clone(&renewing), Arc::clone(&over));
        let renewal = Renewal::new(
            move |lost| {
                let renewing = Arc::clone(&renewing);
                async move { renewing.renew(&lost).await }
            },
            move |refused| {
                let ending = Arc::clone(&ending);
                is_over.store(true, Ordering::Release);
                async move { ending.forget(&refused).await }
            },
        );
        Some(SignedIn {
            bearer: account.bearer,
            renewal,
            over,
        })
    }
}

impl Account {
    /// Of somebody who has just signed in; `track` was bought with this bearer.
    #[must_use]
    pub fn new(bearer: Bearer, track: Option<TrackId>, user: Option<UserId>) -> Self {
        Self {
            bearer,
            track,
            track_due: None,
            handed: None,
            user,
        }
    }

    /// Of somebody who came with the track of a host app, which may end soon.
    #[must_use]
    pub fn handed(bearer: Bearer, track: TrackId, user: UserId) -> Self {
        Self {
            track_due: Some(0),
            handed: Some(track.clone()),
            ..Self::new(bearer, Some(track), Some(user))
        }
    }

    /// Whether it is signed in by this track, or has come by it.
    #[must_use]
    pub fn has(&self, track: &TrackId) -> bool {
        self.track.as_ref() == Some(track) || self.handed.as_ref() == Some(track)
    }

    fn is_track_due(&self, now: i64) -> bool {
        let due = self.track_due.or(self.track.is_none().then_some(0));
        due.is_some_and(|due| due <= now)
    }
}

impl SignedIn {
    /// Makes a caller the signed-in guest.
    #[must_use]
    pub fn on(&self, caller: Caller) -> Caller {
        Caller {
            bearer: Some(self.bearer.clone()),
            renewal: Some(self.renewal.clone()),
            ..caller
        }
    }

    /// Whether the upstream ended the sign-in during this request.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }
}

impl Renewing {
    /// Another bearer for the session, kept there before it is used: the next request must find it (AU-07).
    async fn renew(self: &Arc<Self>, lost: &Bearer) -> Renewed {
        let renewed = self.ask(lost).await;
        let outcome = match renewed {
            Renewed::Bearer(_) => "renewed",
            Renewed::Refused => "refused",
            Renewed::Later => "failed",
        };
        metrics::counter!("sign_in_renewals_total", "outcome" => outcome).increment(1);
        renewed
    }

    async fn ask(self: &Arc<Self>, lost: &Bearer) -> Renewed {
        let account = match self.account().await {
            Ok(Some(account)) => account,
            // Signed out meanwhile.
            Ok(None) => return Renewed::Refused,
            Err(Unavailable) => return Renewed::Later,
        };
        if account.bearer != *lost {
            // Another instance was faster.
            return Renewed::Bearer(account.bearer);
        }
        let bearer = match self.bearer(&account).await {
            Ok(bearer) => bearer,
            Err(refused) => return refused,
        };
        let next = Account {
            bearer: bearer.clone(),
            track_due: Some(self.clock.now().saturating_add(TRACK_AGAIN)),
            ..account.clone()
        };
        match self.swap(&account, Some(&next)).await {
            Ok(true) => {
                let buying = Arc::clone(self);
                tokio::spawn(async move { buying.buy_track(next).await }.in_current_span());
                Renewed::Bearer(bearer)
            }
            // If the guest signed out meanwhile, the new bearer is good for the calls under way only.
            Ok(false) => Renewed::Bearer(bearer),
            Err(Unavailable) => Renewed::Later,
        }
    }

    /// A bearer for the track that was bought last, else for the one that the guest came with.
    async fn bearer(&self, account: &Account) -> Result<Bearer, Renewed> {
        let handed = account.handed.as_ref();
        let handed = handed.filter(|handed| account.track.as_ref() != Some(handed));
        let client = &self.upstream.config().client_id;
        for track in account.track.iter().chain(handed) {
            let grant = Grant::Track(track);
            match self.upstream.token(&self.caller, client, grant).await {
                Ok(token) => return Ok(token.bearer),
                Err(Error::Unauthorized | Error::NotFound | Error::Rejected(_)) => {}
                Err(_) => return Err(Renewed::Later),
            }
        }
        Err(Renewed::Refused)
    }

    /// Buys the track that a sign-in or a renewal could not buy, of all requests that see it missing one.
    async fn complete(&self) {
        let now = self.clock.now();
        if let Ok(Some(account)) = self.account().await
            && account.is_track_due(now)
        {
            let claimed = Account {
                track_due: Some(now.saturating_add(TRACK_AGAIN)),
                ..account.clone()
            };
            if self.swap(&account, Some(&claimed)).await == Ok(true) {
                self.buy_track(claimed).await;
            }
        }
    }

    /// What fails is in the log already, and done again when it is due.
    async fn buy_track(&self, account: Account) {
        let caller = Caller {
            bearer: Some(account.bearer.clone()),
            ..self.caller.optional()
        };
        if let Ok(track) = self.upstream.track(&caller).await {
            let next = Account {
                track: Some(track),
                track_due: None,
                ..account.clone()
            };
            // A store that is away, or a session that goes on otherwise: the old track stays, or another one is bought.
            let _ = self.swap(&account, Some(&next)).await;
        }
    }

    /// Signs the session out if it still has the refused bearer. Its cart and all else stay (AU-08).
    async fn forget(&self, refused: &Bearer) {
        if let Ok(Some(account)) = self.account().await
            && account.bearer == *refused
            && self.swap(&account, None).await == Ok(true)
        {
            metrics::counter!("sign_outs_total", "cause" => "refused").increment(1);
            tracing::warn!(
                "The upstream takes a session's token no more; the guest goes on signed out"
            );
        }
    }

    async fn account(&self) -> Result<Option<Account>, Unavailable> {
        let record = self.store.load(&self.session).await;
        let record = record.map_err(|error| unavailable(error.into()))?;
        let value = record.and_then(|mut record| record.data.remove(Key::Account.name()));
        Ok(value.and_then(|value| serde_json::from_value(value).ok()))
    }

    async fn swap(&self, from: &Account, to: Option<&Account>) -> Result<bool, Unavailable> {
        let written = |account: &Account| serde_json::to_value(account).map_err(|_| Unavailable);
        let (from, to) = (written(from)?, to.map(written).transpose()?);
        self.store
            .swap(&self.session, Key::Account.name(), Some(from), to)
            .await
            .map_err(|error| unavailable(error.into()))
    }
}

impl TryFrom<Stored> for Account {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        Ok(Self {
            bearer: Bearer::new(&stored.bearer).ok_or("no bearer")?,
            track: stored.track,
            track_due: stored.track_due,
            handed: stored.handed,
            user: stored.user,
        })
    }
}

impl From<Account> for Stored {
    fn from(account: Account) -> Self {
        Self {
            bearer: account.bearer.as_str().to_owned(),
            track: account.track,
            track_due: account.track_due,
            handed: account.handed,
            user: account.user,
        }
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Account(…)")
    }
}
