//! Pages that say why there is none, and those of the specification that are not built yet.

use serde::Serialize;
use ts_rs::TS;

use super::{
    loaded::{Loaded, PageRequest},
    orders::{PlacedOrder, placed_here},
};
use crate::{
    error::Error,
    web::page::{Frame, Page},
};

/// Addresses of the specification that are not built yet, with their layout and their rule of signing in (RT-01,
/// RT-06).
pub const COMING: [Page; 2] = [
    coming("/filials/{filial_id}/barcode-scanner").frame(Frame::Plain),
    coming("/filials/{filial_id}/barcode-manual"),
];

const fn coming(path: &'static str) -> Page {
    Page::new("coming", path).query(&["filial_id", "table_id", "main_terminal_id"])
}

/// A page of the specification that is not built yet, or that nobody sees without a sign-in.
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
    /// On the page of orders: those of this session, the newest first.
    pub orders: Vec<PlacedOrder>,
}

impl ComingPage {
    /// Says that the page of a request is not there yet, or not without a sign-in.
    pub async fn of(request: &PageRequest, login: bool) -> Self {
        let matched = request.matched();
        let route = match matched.page.path {
            "/bills/preorder/{id}" => "preorderBill",
            "/filials/{filial_id}/barcode-scanner" => "barcodeScanner",
            "/filials/{filial_id}/barcode-manual" => "barcodeManual",
            "/orders" => "orders",
            "/typ/{filial_id}/order/{id}" => "thankYou",
            "/orders/{id}" => "order",
            "/profile" | "/profile/bonuses" | "/profile/delete" => "profile",
            _ => "profileForm",
        };
        Self {
            route: route.to_owned(),
            login,
            filial_id: matched.param("filial_id").parse().ok(),
            orders: match route {
                "orders" => placed_here(&request.watchers, &request.visit).await,
                _ => Vec::new(),
            },
        }
    }
}

/// Loads a page that is not built yet.
///
/// # Errors
/// None.
pub async fn load_coming(request: PageRequest) -> Result<Loaded<ComingPage>, Error> {
    Ok(Loaded::page(ComingPage::of(&request, false).await))
}

/// What stands at an address that has no page.
pub const NOT_FOUND: &Page = crate::web::page::NOT_FOUND;

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

/// The page of a failure.
pub const ERROR: &Page = &Page::new("error", "");
