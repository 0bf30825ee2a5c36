//! Signing in and out: codes and tracks become tokens (AU-02, AU-03).

use std::time::Duration;

use serde_json::json;

use super::{
    Bearer, Caller, Error, Upstream,
    address::Path,
    breaker::Part,
    call::{Call, Watch},
    ids::TrackId,
    wire::{self, Bad, FromWire, Wire},
};

/// What is exchanged for a token.
#[derive(Debug, Clone, Copy)]
pub enum Grant<'a> {
    /// What the sign-in page sent back.
    Code {
        /// The code; it works once.
        code: &'a str,
        /// The address that the page sent it to, to the letter.
        redirect_uri: &'a str,
        /// The secret behind the challenge that the page was opened with.
        verifier: Option<&'a str>,
    },
    /// What a host application handed over.
    Track(&'a TrackId),
}

/// What a sign-in gives.
#[derive(Debug, Clone)]
pub struct Token {
    /// Goes with every personal call from now on.
    pub bearer: Bearer,
    /// How long it holds, if told.
    pub lasts: Option<Duration>,
}

impl Upstream {
    /// Exchanges a grant for a token. A code is never sent twice: an upstream takes a code that comes again for a
    /// stolen one.
    pub async fn token(
        &self,
        caller: &Caller,
        client_id: &str,
        grant: Grant<'_>,
    ) -> Result<Token, Error> {
        let body = match grant {
            Grant::Code {
                code,
                redirect_uri,
                verifier,
            } => json!({
                "client_id": client_id, "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri,
                "code_verifier": verifier,
            }),
            Grant::Track(track) => {
                json!({ "client_id": client_id, "grant_type": "authorization_track_id", "track_id": track })
            }
        };
        let path = Path::fixed("api/v2/oauth2/tokens");
        let call = Call::post(caller, Part::Accounts, path, &body).watch(Watch::Warning);
        let call = if matches!(grant, Grant::Code { .. }) {
            call.once()
        } else {
            call
        };
        self.ask(call, Token::from_wire).await
    }

    /// A track with which the signed-in guest signs in elsewhere.
    pub async fn track(&self, caller: &Caller) -> Result<TrackId, Error> {
        let path = Path::fixed("api/v1/oauth2/tracks");
        let call = Call::post(caller, Part::Accounts, path, &json!({})).watch(Watch::Error);
        self.ask(call, |wire| {
            let id = wire.get("data").text("id");
            id.and_then(|id| id.parse().ok()).ok_or(Bad("track id"))
        })
        .await
    }

    /// Ends the caller's token.
    pub async fn revoke_token(&self, caller: &Caller) -> Result<(), Error> {
        let path = Path::fixed("api/v2/oauth2/tokens/revoke");
        self.ask(
            Call::post(caller, Part::Accounts, path, &json!({})),
            wire::done,
        )
        .await
    }
}

impl FromWire for Token {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let bearer = wire
            .get("access_token")
            .as_text()
            .and_then(|token| Bearer::new(&token));
        Ok(Self {
            bearer: bearer.ok_or(Bad("access_token"))?,
            lasts: wire
                .count("expires_in")
                .map(|seconds| Duration::from_secs(seconds.into())),
        })
    }
}
