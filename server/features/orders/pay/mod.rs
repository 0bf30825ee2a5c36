//! `/pay/{token}`: where an order is paid, and where the bank leads back to. It works in whatever browser it is opened,
//! believes no query, and tells other guests nothing personal (beyond.md, 6).

mod change;
mod code;
mod data;
mod load;
mod subject;

pub use change::{again, give_up};
pub use code::code;
pub use data::{PaymentPage, PaymentState, PaymentStep};
pub use load::{PAGE, load};
