//! Fridges: the lock opens, the door closes, what was taken is settled.

use serde_json::json;

use super::{
    Caller, Class, Error, FilialId, FridgeSessionId, IdempotencyKey, OrderId, OrderItem, Upstream,
    When,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};

/// An open door, or what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FridgeSession {
    /// Its id.
    pub id: FridgeSessionId,
    /// The fridge.
    pub terminal: Option<FilialId>,
    /// The door is open.
    pub is_open: bool,
    /// Since when.
    pub opened_at: Option<When>,
    /// What was taken, once settled.
    pub order: Option<OrderId>,
}

impl Upstream {
    /// Opens a fridge. Whoever has its door open already gets the same session; `lock_busy` and `lock_failed` are
    /// refusals. A door is a thing in the world, so it is tried again only if the upstream was not reached.
    pub async fn open_lock(
        &self,
        caller: &Caller,
        terminal: FilialId,
        key: &IdempotencyKey,
    ) -> Result<FridgeSession, Error> {
        let caller = caller.with_class(Class::Order);
        let path = Path::fixed("smart-lock/v1/open-lock");
        let call = Call::post(
            &caller,
            Part::Fridge,
            path,
            &json!({ "terminal_id": terminal }),
        )
        .named(key)
        .once();
        self.ask(call, wire::data).await
    }

    /// How a session stands.
    pub async fn fridge_session(
        &self,
        caller: &Caller,
        id: &FridgeSessionId,
    ) -> Result<FridgeSession, Error> {
        let call = Call::get(
            caller,
            Part::Fridge,
            Path::with("smart-lock/v1/sessions/{}", id),
        );
        self.ask(call, wire::data).await
    }

    /// Closes the door; what was taken becomes an order, once per session.
    pub async fn close_fridge(
        &self,
        caller: &Caller,
        id: &FridgeSessionId,
        items: &[OrderItem],
        key: &IdempotencyKey,
    ) -> Result<FridgeSession, Error> {
        let caller = caller.with_class(Class::Order);
        let body = json!({ "items": items.iter().map(OrderItem::to_wire).collect::<Vec<_>>() });
        let call = Call::post(
            &caller,
            Part::Fridge,
            Path::with("smart-lock/v1/sessions/{}/close", id),
            &body,
        );
        self.ask(call.key(key), wire::data).await
    }
}

impl FromWire for FridgeSession {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire
                .text("session_id")
                .and_then(|id| id.parse().ok())
                .ok_or(Bad("session_id"))?,
            terminal: wire.id("terminal_id", FilialId),
            is_open: match wire.get("status").raw().as_str() {
                Some("open") => true,
                Some("closed") => false,
                _ => return Err(Bad("status")),
            },
            opened_at: wire.text("opened_at").map(When::from_text),
            order: wire.order_id("order_id"),
        })
    }
}
