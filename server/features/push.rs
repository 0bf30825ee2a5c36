//! The device that a signed-in guest is told things on (PU-01 to PU-03). The session keeps its token: a sign-out ends
//! the messages.

use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    error::Error,
    upstream::{Bearer, Caller, NotificationId, Os, PushDevice},
    values::Platform,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        session::PushToken,
        visit::Visit,
    },
};

/// Longer tokens are refused.
const LONGEST: usize = 4096;

/// Registers the device of a signed-in guest. Why the upstream fails is in the log already (PU-04); that it does is
/// answered, so that the device is told again.
///
/// # Errors
/// When the store does not answer.
pub async fn register(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let visible =
        |text: &&str| text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_graphic());
    // Without what was sent: the token enters no page (S-01).
    let refused = |code| Ok(Outcome::refused_form(&Form::default(), form.back(), code));
    let Some(token) = form.get("token").filter(visible) else {
        return refused(ErrorCode::BadInput);
    };
    if visit.signed_in.is_none() {
        return refused(ErrorCode::SignIn);
    }
    let push = PushToken {
        token: token.to_owned(),
        device: form
            .get("analyticDeviceID")
            .filter(visible)
            .unwrap_or_default()
            .to_owned(),
    };
    // Kept before it is sent: one that is registered must be known on the way out.
    visit.sess.set_push(&push).await?;
    let caller = visit.personal_caller().await;
    let device = device(&visit, push);
    match visit.app.upstream.register_push(&caller, &device).await {
        Ok(()) => Ok(Outcome::back(form.back())),
        Err(_) => refused(ErrorCode::Unavailable),
    }
}

/// A notification was opened on the device of this guest: told with what the device was registered by (PU-03). That the
/// upstream fails is in the log already.
///
/// # Errors
/// None: who is not signed in, or was told nothing, has opened nothing.
pub async fn opened(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let done = Ok(Outcome::back(form.back()));
    let Some(id) = form.parse::<NotificationId>("id") else {
        return Ok(Outcome::refused_form(
            &Form::default(),
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    let push = visit
        .sess
        .push()
        .await
        .filter(|_| visit.signed_in.is_some());
    let (Some(push), Ok(now)) = (push, OffsetDateTime::from_unix_timestamp(visit.now / 1000))
    else {
        return done;
    };
    let caller = visit.personal_caller().await;
    let opened_at = now.format(&Rfc3339).unwrap_or_default();
    // See above.
    let _ = visit
        .app
        .upstream
        .notification_opened(&caller, &id, &device(&visit, push), &opened_at)
        .await;
    done
}

/// Detaches the device from its account. A failure is in the log already and stops nothing.
pub async fn unassign(visit: &Visit) {
    if let Some(push) = visit.sess.push().await {
        let caller = visit.personal_caller().await;
        // See above.
        let _ = visit
            .app
            .upstream
            .unassign_push(&caller, &device(visit, push))
            .await;
    }
}

/// The same for another session of the account, which was ended.
pub async fn unassign_ended(visit: &Visit, bearer: Bearer, push: PushToken) {
    let caller = Caller {
        bearer: Some(bearer),
        ..Caller::guest(visit.lang, visit.country)
    };
    // See above.
    let _ = visit
        .app
        .upstream
        .unassign_push(&caller, &device(visit, push))
        .await;
}

fn device(visit: &Visit, push: PushToken) -> PushDevice {
    PushDevice {
        os: match visit.platform {
            Platform::Web => Os::Web,
            Platform::Ios => Os::Ios,
            Platform::Android => Os::Android,
        },
        project: visit.app.config.push_project.clone(),
        token: push.token,
        analytic_device_id: push.device,
    }
}
