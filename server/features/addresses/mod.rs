//! Where orders are brought to (DG): the saved addresses of a signed-in guest, the local one of other guests, the page
//! that finds a place on the map, the form, and the sheet that lists them.

mod change;
mod data;
mod form;
mod lookup;
mod map;
mod sheet;
mod words;
mod write;
mod zone;

pub use change::{choose, confirm, delete, undo};
pub use data::{
    AddressAt, AddressCard, AddressFields, AddressFormPage, AddressMapPage, AddressSpot,
    AddressSuggestions, AddressesPage, ZoneState,
};
pub use form::{PAGE as FORM, load as load_form};
pub use lookup::{at, suggest};
pub use map::{PAGE as MAP, load as load_map};
pub use sheet::{PAGE as SHEET, load as load_sheet};
pub use write::{place, save};
