//! The data of one page, as one JSON text: what V8 renders from, what the page carries, what `/_data/…` answers.

use serde::Serialize;
use ts_rs::TS;

use super::{
    age::AgePage,
    booking::BookingPage,
    brand_venues::BrandVenuesPage,
    brands::BrandsPage,
    cart::CartPage,
    details::DetailsPage,
    help::{FaqPage, LegalPage},
    home::HomePage,
    language::LanguagePage,
    map::MapPage,
    menu::MenuPage,
    menu_search::MenuSearchPage,
    orders::{CheckingPage, OrderPage},
    preferences::TownPage,
    search::SearchPage,
    shell::Shell,
    venues::VenueListPage,
};

/// A route of the specification that is not built yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct ComingPage {
    /// Name of the route, message key under `coming.`.
    pub route: String,
    /// Only for guests who are signed in, and this one is not (RT-06).
    pub login: bool,
    /// The venue in the path, for a link back to its menu.
    #[ts(type = "number | null")]
    pub filial_id: Option<u64>,
}

/// Not found, with what was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct NotFoundPage {
    /// `page`, `venue`, `order` or `item`.
    pub what: String,
}

/// What kept a page from being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub enum ErrorKind {
    /// The upstream or the state store does not answer.
    Unavailable,
    /// More guests than the server can serve now.
    Overloaded,
    /// The request can't be understood.
    BadRequest,
    /// A tablet was set up at a venue that takes no orders from one.
    Tablet,
    /// The request comes from another site.
    Forbidden,
}

/// A page that says why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct ErrorPage {
    /// Which texts to show.
    pub kind: ErrorKind,
    /// To name when asking for help.
    pub request_id: String,
}

/// The data of one page, told apart by the id of its route in `routes.tsx`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "route", content = "data", rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "each variant is documented by its struct")]
pub enum Page {
    Home(HomePage),
    Filials(VenueListPage),
    Town(TownPage),
    Menu(Box<MenuPage>),
    Brands(BrandsPage),
    BrandFilials(BrandVenuesPage),
    Booking(Box<BookingPage>),
    Map(Box<MapPage>),
    Search(Box<SearchPage>),
    MenuSearch(Box<MenuSearchPage>),
    Details(Box<DetailsPage>),
    Faq(FaqPage),
    Legal(LegalPage),
    Language(LanguagePage),
    Age(AgePage),
    Cart(Box<CartPage>),
    Order(Box<OrderPage>),
    Checking(CheckingPage),
    Coming(ComingPage),
    NotFound(NotFoundPage),
    Error(ErrorPage),
}

impl Page {
    /// Keys of the asset manifest: what is shown over the screen, if anything, and the screen.
    #[must_use]
    pub fn assets(&self) -> [Option<&'static str>; 2] {
        let over = if let Self::Menu(menu) = self {
            menu.item.is_some().then_some("item")
        } else if let Self::Cart(cart) = self {
            let keypad = cart.keypad.then_some("keypad");
            keypad.or_else(|| cart.delivery.is_some().then_some("delivery"))
        } else {
            None
        };
        [over, Some(self.route())]
    }

    /// Id of the route.
    #[must_use]
    pub const fn route(&self) -> &'static str {
        match self {
            Self::Home(_) => "home",
            Self::Filials(_) => "filials",
            Self::Town(_) => "town",
            Self::Menu(_) => "menu",
            Self::Brands(_) => "brands",
            Self::BrandFilials(_) => "brandFilials",
            Self::Booking(_) => "booking",
            Self::Map(_) => "map",
            Self::Search(_) => "search",
            Self::MenuSearch(_) => "menuSearch",
            Self::Details(_) => "details",
            Self::Faq(_) => "faq",
            Self::Legal(_) => "legal",
            Self::Language(_) => "language",
            Self::Age(_) => "age",
            Self::Cart(_) => "cart",
            Self::Order(_) => "order",
            Self::Checking(_) => "checking",
            Self::Coming(_) => "coming",
            Self::NotFound(_) => "notFound",
            Self::Error(_) => "error",
        }
    }
}

/// The one JSON text of a page.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct PageData {
    /// What every page gets.
    pub shell: Shell,
    /// What this page shows.
    pub page: Page,
    /// HTTP status of the document.
    pub status: u16,
}
