//! Accounts: who is signed in, and how one signs in.

pub(crate) mod address;
pub(crate) mod balance;
pub(crate) mod grant;
pub(crate) mod user;

use axum::http::StatusCode;

use crate::app::App;
use crate::caller::Caller;
use crate::refusal::Refusal;
use user::User;

impl App {
    /// Who calls, or a 401.
    pub(crate) async fn signed_in(&self, caller: &Caller) -> Result<User, Refusal> {
        let user = self.signed_in_even_deleted(caller).await?;
        if user.deleted_at.is_some() {
            let title = "The account is deleted";
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "account_deleted",
                title,
            ));
        }
        Ok(user)
    }

    /// The caller's account; `None` for a guest, a 401 for a wrong token.
    pub(crate) async fn maybe_signed_in(&self, caller: &Caller) -> Result<Option<User>, Refusal> {
        match caller.bearer {
            Some(_) => self.signed_in(caller).await.map(Some),
            None => Ok(None),
        }
    }

    /// Who calls, even from an account that waits for its end.
    pub(crate) async fn signed_in_even_deleted(&self, caller: &Caller) -> Result<User, Refusal> {
        let token = caller.bearer.clone().ok_or_else(unauthorized)?;
        self.expire().await?;
        let now = self.clock.now();
        let found = self
            .store
            .read(move |db| user::of_token(db, &token, now))
            .await?;
        found.ok_or_else(unauthorized)
    }
}

pub(crate) fn unauthorized() -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", "Not authorized")
}
