//! What stands around a page: the layout flags of the specification's section 2 (RT-01).

use serde::Serialize;
use ts_rs::TS;

use crate::{features::page::Page, routes::PageRoute};

/// The kind of frame around a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub enum Frame {
    /// Nothing at all: the page passes by (RT-02).
    None,
    /// A way back and nothing else: a camera or a map fills the page (RT-04).
    Plain,
    /// The header, over a page that is searched.
    Search,
    /// The header.
    Default,
}

/// What stands around one page. Sent with every page, so each navigation shows what its page asks for (RT-11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Layout {
    /// The frame.
    pub frame: Frame,
    /// The main sections are at hand.
    pub navbar: bool,
    /// A signed-in guest's balance is shown (BL-07).
    pub balance: bool,
}

impl Layout {
    const BARE: Self = Self {
        frame: Frame::Default,
        navbar: false,
        balance: false,
    };

    /// The layout of a page at the address of `route`. A page that says why there is none has its own.
    #[must_use]
    pub const fn of(route: &PageRoute, page: &Page) -> Self {
        match page {
            Page::NotFound(_) | Page::Error(_) => Self::BARE,
            _ => Self::at(route),
        }
    }

    const fn at(route: &PageRoute) -> Self {
        let (frame, navbar, balance) = match route {
            PageRoute::Home | PageRoute::BrandFilials | PageRoute::Filials => {
                (Frame::Search, true, false)
            }
            PageRoute::Brands => (Frame::Search, true, true),
            PageRoute::MenuSearch { .. } | PageRoute::Map | PageRoute::Search => {
                (Frame::Search, false, false)
            }
            PageRoute::Booking => (Frame::Default, true, false),
            PageRoute::Menu { .. } | PageRoute::Cart => (Frame::Default, false, true),
            PageRoute::Coming { route, .. } => return Self::coming(route.as_bytes()),
            PageRoute::Details { .. }
            | PageRoute::Order { .. }
            | PageRoute::Checking { .. }
            | PageRoute::Faq
            | PageRoute::Legal { .. }
            | PageRoute::Town
            | PageRoute::Language
            | PageRoute::Age
            | PageRoute::Cookies
            | PageRoute::NotFound => return Self::BARE,
        };
        Self {
            frame,
            navbar,
            balance,
        }
    }

    const fn coming(route: &[u8]) -> Self {
        let (frame, navbar, balance) = match route {
            b"auth" => (Frame::None, false, false),
            b"barcodeScanner" | b"addressMap" => (Frame::Plain, false, false),
            b"bill" | b"preorderBill" => (Frame::Default, false, true),
            b"orders" => (Frame::Default, true, true),
            b"thankYou" | b"order" | b"profile" => (Frame::Default, true, false),
            _ => return Self::BARE,
        };
        Self {
            frame,
            navbar,
            balance,
        }
    }
}
