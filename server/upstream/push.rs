//! Push tokens and opened notifications (PU-01 to PU-04).

use serde_json::json;

use super::{
    Caller, Error, Upstream, address::Path, breaker::Part, call::Call, ids::NotificationId, wire,
};

/// A device that can be told things.
#[derive(Clone)]
pub struct PushDevice {
    /// What it runs: `X-OS`.
    pub os: Os,
    /// Whose notifications: `X-Project`.
    pub project: String,
    /// Its token; never shown.
    pub token: String,
    /// Its name in analytics.
    pub analytic_device_id: String,
}

/// What a device runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Os {
    Web,
    Ios,
    Android,
}

impl Upstream {
    /// Registers a device of the signed-in guest. A failure is in the log already (PU-04).
    pub async fn register_push(&self, caller: &Caller, device: &PushDevice) -> Result<(), Error> {
        self.push(caller, device, "api/v2/push-gateway/token").await
    }

    /// Detaches the device from its account (AU-06).
    pub async fn unassign_push(&self, caller: &Caller, device: &PushDevice) -> Result<(), Error> {
        self.push(caller, device, "api/v2/push-gateway/token/un-assign")
            .await
    }

    async fn push(
        &self,
        caller: &Caller,
        device: &PushDevice,
        path: &'static str,
    ) -> Result<(), Error> {
        let body = json!({ "token": device.token, "analyticDeviceID": device.analytic_device_id });
        let call = Call::post(caller, Part::Push, Path::fixed(path), &body)
            .header("x-os", device.os.code())
            .header("x-project", &device.project);
        self.ask(call, wire::done).await
    }

    /// A notification was opened; `opened_at` is ISO 8601.
    pub async fn notification_opened(
        &self,
        caller: &Caller,
        id: &NotificationId,
        device: &PushDevice,
        opened_at: &str,
    ) -> Result<(), Error> {
        let body = json!({
            "analytic_device_id": device.analytic_device_id, "opened_at": opened_at, "project": device.project,
            "token": device.token,
        });
        let path = Path::with("push-gateway/v1/notifications/{}/open", id);
        self.ask(Call::post(caller, Part::Push, path, &body), wire::done)
            .await
    }
}

impl Os {
    /// The upstream's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Ios => "ios",
            Self::Android => "android",
        }
    }
}

impl std::fmt::Debug for PushDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushDevice")
            .field("os", &self.os)
            .finish_non_exhaustive()
    }
}
