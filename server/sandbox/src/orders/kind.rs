//! The kinds of orders.

/// The kinds of orders, each with its own call, and what a fridge settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Express,
    Takeaway,
    Delivery,
    VendorDelivery,
    Micromarket,
    /// At a micromarket, and already in the guest's hands: the door of its fridge is shut.
    Fridge,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Express => "express",
            Kind::Takeaway => "takeaway",
            Kind::Delivery => "delivery",
            Kind::VendorDelivery => "vendor-delivery",
            Kind::Micromarket | Kind::Fridge => "micromarket",
        }
    }
}
