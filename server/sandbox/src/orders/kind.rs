//! The kinds of orders.

/// The kinds of orders, each with its own call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Express,
    Takeaway,
    Delivery,
    VendorDelivery,
    Micromarket,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Express => "express",
            Kind::Takeaway => "takeaway",
            Kind::Delivery => "delivery",
            Kind::VendorDelivery => "vendor-delivery",
            Kind::Micromarket => "micromarket",
        }
    }
}
