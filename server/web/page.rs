//! What a page is: its id, its address, who may open it and what stands around it. Each page of a feature says this in
//! one constant; `routes.rs` registers the constants.

use matchit::InsertError;
use percent_encoding::percent_decode_str;
use serde::Serialize;

/// Who may open a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody; the page of a blank session may be cached for others (SR-03).
    Shared,
    /// Everybody; made for each visit.
    Open,
    /// Guests who are signed in (RT-06).
    SignedIn,
}

/// What comes along when the guest chooses another service on a page (SV-03).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnService {
    /// Nothing: the page stays.
    Stay,
    /// The page becomes that of the venue's sibling for the service, and its cart moves there.
    Sibling,
    /// The cart moves to the sibling of its own venue.
    Cart,
}

/// The kind of frame around a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Frame {
    /// No frame: the page leads on by itself (RT-02).
    None,
    /// A way back and the language, nothing else: a camera or a map fills the page (RT-04).
    Plain,
    /// The header, over a page that is searched.
    Search,
    /// The header.
    Default,
}

/// What stands around one page. Sent with every page, so each navigation shows what its page asks for (RT-11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Layout {
    /// The frame.
    pub frame: Frame,
    /// The main sections are at hand.
    pub navbar: bool,
    /// A signed-in guest's balance is shown (BL-07).
    pub balance: bool,
}

/// One page of the product.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// Names the page in its data, in the asset manifest, in logs and metrics: the folder in `components/pages/`.
    pub id: &'static str,
    /// Its address, with what differs in braces: `/filials/{filial_id}`.
    pub path: &'static str,
    /// Query keys that change the page; all others are dropped from cache keys and links.
    pub query: &'static [&'static str],
    /// Query keys that make the page one guest's own: it is not cached.
    pub personal: &'static [&'static str],
    /// Query keys with which reading it counts as a change for limits: what they say goes upstream (S-20).
    pub counted: &'static [&'static str],
    /// Who may open it.
    pub access: Access,
    /// About what a guest orders or pays: when there is too much to do it comes before others.
    pub of_orders: bool,
    /// Asks for the age over itself where scripts run (UI-04).
    pub asks_age: bool,
    /// May be read before a guest of a host app has agreed to anything (SC-09).
    pub before_consent: bool,
    /// For signed-in guests, but with something to show to others: it offers the sign-in instead of asking for it.
    pub offers_sign_in: bool,
    /// Runs WebAssembly: its policy allows that.
    pub wasm: bool,
    /// Shows an order, which goes on when a tablet forgets its guest (KS-02).
    pub shows_order: bool,
    /// Opens a door: the age is asked before, as no one asks behind it (BC-13).
    pub opens_door: bool,
    /// The balance is the one at the venue of its address, which may have a reward of its own (BL-03).
    pub venue_balance: bool,
    /// About the table of its address, which may be another one than the guest's.
    pub names_table: bool,
    /// What comes along when the guest chooses another service.
    pub on_service: OnService,
    /// Stands in the sitemap (SO-08).
    pub in_sitemap: bool,
    /// What stands around it.
    pub layout: Layout,
}

impl Page {
    /// A page that everybody may open, with a header around it.
    #[must_use]
    pub const fn new(id: &'static str, path: &'static str) -> Self {
        Self {
            id,
            path,
            query: &[],
            personal: &[],
            counted: &[],
            access: Access::Open,
            of_orders: false,
            asks_age: false,
            before_consent: false,
            offers_sign_in: false,
            wasm: false,
            shows_order: false,
            opens_door: false,
            venue_balance: false,
            names_table: false,
            on_service: OnService::Stay,
            in_sitemap: false,
            layout: Layout {
                frame: Frame::Default,
                navbar: false,
                balance: false,
            },
        }
    }

    /// About what a guest orders or pays.
    #[must_use]
    pub const fn of_orders(self) -> Self {
        Self {
            of_orders: true,
            ..self
        }
    }

    /// Asks for the age over itself where scripts run (UI-04).
    #[must_use]
    pub const fn asks_age(self) -> Self {
        Self {
            asks_age: true,
            ..self
        }
    }

    /// May be read before a guest of a host app has agreed to anything (SC-09).
    #[must_use]
    pub const fn before_consent(self) -> Self {
        Self {
            before_consent: true,
            ..self
        }
    }

    /// For signed-in guests, with something to show to others, whom it offers the sign-in.
    #[must_use]
    pub const fn offers_sign_in(self) -> Self {
        Self {
            offers_sign_in: true,
            ..self.signed_in()
        }
    }

    /// Runs WebAssembly.
    #[must_use]
    pub const fn wasm(self) -> Self {
        Self { wasm: true, ..self }
    }

    /// Shows an order, which goes on when a tablet forgets its guest (KS-02).
    #[must_use]
    pub const fn shows_order(self) -> Self {
        Self {
            shows_order: true,
            ..self
        }
    }

    /// Opens a door: the age is asked before, as no one asks behind it (BC-13).
    #[must_use]
    pub const fn opens_door(self) -> Self {
        Self {
            opens_door: true,
            ..self
        }
    }

    /// About the table of its address, which may be another one than the guest's.
    #[must_use]
    pub const fn names_table(self) -> Self {
        Self {
            names_table: true,
            ..self
        }
    }

    /// What comes along when the guest chooses another service (SV-03).
    #[must_use]
    pub const fn on_service(self, on_service: OnService) -> Self {
        Self { on_service, ..self }
    }

    /// Stands in the sitemap (SO-08).
    #[must_use]
    pub const fn in_sitemap(self) -> Self {
        Self {
            in_sitemap: true,
            ..self
        }
    }

    /// With the query keys that change it.
    #[must_use]
    pub const fn query(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    /// With the query keys of one guest.
    #[must_use]
    pub const fn personal(self, personal: &'static [&'static str]) -> Self {
        Self { personal, ..self }
    }

    /// With the query keys that make reading it count as a change for limits (S-20).
    #[must_use]
    pub const fn counted(self, counted: &'static [&'static str]) -> Self {
        Self { counted, ..self }
    }

    /// Cached for others when the session is blank (SR-03).
    #[must_use]
    pub const fn shared(self) -> Self {
        Self {
            access: Access::Shared,
            ..self
        }
    }

    /// For guests who are signed in (RT-06).
    #[must_use]
    pub const fn signed_in(self) -> Self {
        Self {
            access: Access::SignedIn,
            ..self
        }
    }

    /// With another frame.
    #[must_use]
    pub const fn frame(mut self, frame: Frame) -> Self {
        self.layout.frame = frame;
        self
    }

    /// With the main sections at hand.
    #[must_use]
    pub const fn navbar(mut self) -> Self {
        self.layout.navbar = true;
        self
    }

    /// With the balance of a signed-in guest.
    #[must_use]
    pub const fn balance(mut self) -> Self {
        self.layout.balance = true;
        self
    }

    /// With the balance of a signed-in guest at the venue of its address (BL-03).
    #[must_use]
    pub const fn venue_balance(self) -> Self {
        Self {
            venue_balance: true,
            ..self.balance()
        }
    }

    /// Whether an address of this page is one of `other`, too: several addresses may show one page.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// What stands for a venue in the patterns of pages.
const VENUE: &str = "{filial_id}";

/// The page of every address that has none.
pub const NOT_FOUND: &Page = &Page::new("notFound", "").before_consent();

/// A page with what its address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The page.
    pub page: &'static Page,
    params: Vec<(String, String)>,
}

impl Matched {
    /// What the address has in the place of `{name}`, decoded. Empty when the pattern has no such place.
    #[must_use]
    pub fn param(&self, name: &str) -> &str {
        self.params
            .iter()
            .find(|(known, _)| known == name)
            .map_or("", |(_, value)| value)
    }

    /// Whether a path of this page is spelled as links spell it: no slash at its end, a venue by its plain number. What is
    /// kept by its path alone is found under that spelling only.
    #[must_use]
    pub fn is_plain(&self, path: &str) -> bool {
        let is_number =
            |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()) && !part.starts_with('0');
        let mut parts = path.split('/').zip(self.page.path.split('/'));
        (path == "/" || !path.ends_with('/'))
            && parts.all(|(part, pattern)| pattern != VENUE || is_number(part))
    }

    fn nothing() -> Self {
        Self {
            page: NOT_FOUND,
            params: Vec::new(),
        }
    }
}

/// Finds the page of an address.
#[derive(Debug, Default)]
pub struct Table {
    patterns: matchit::Router<&'static Page>,
    /// In the order of registration.
    all: Vec<&'static Page>,
}

impl Table {
    /// Adds a page.
    ///
    /// # Errors
    /// When its pattern can't be told from another one.
    pub fn add(&mut self, page: &'static Page) -> Result<(), InsertError> {
        self.patterns.insert(page.path, page)?;
        self.all.push(page);
        Ok(())
    }

    /// Every page that has an address.
    pub fn all(&self) -> impl Iterator<Item = &'static Page> + '_ {
        self.all.iter().copied()
    }

    /// The page of a path; [`NOT_FOUND`] for a path that has none or is no UTF-8. A slash at the end changes nothing.
    #[must_use]
    pub fn find(&self, path: &str) -> Matched {
        let trimmed = path.trim_end_matches('/');
        let path = if trimmed.is_empty() { "/" } else { trimmed };
        let Ok(found) = self.patterns.at(path) else {
            return Matched::nothing();
        };
        let decoded: Option<Vec<_>> = found
            .params
            .iter()
            .map(|(name, value)| {
                let value = percent_decode_str(value).decode_utf8().ok()?;
                Some((name.to_owned(), value.into_owned()))
            })
            .collect();
        decoded.map_or_else(Matched::nothing, |params| Matched {
            page: found.value,
            params,
        })
    }
}

/// The path of a page, whose data has it behind `/_data`.
#[must_use]
pub fn own_path(path: &str) -> &str {
    let own = if is_data(path) {
        &path["/_data".len()..]
    } else {
        path
    };
    if own.is_empty() { "/" } else { own }
}

/// Whether it is the path of a page's data.
#[must_use]
pub fn is_data(path: &str) -> bool {
    path.strip_prefix("/_data")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{NOT_FOUND, Page, Table};

    const LIST: Page = Page::new("list", "/brands/{brand}");
    const BOOKING: Page = Page::new("booking", "/brands/booking");
    const FRONT: Page = Page::new("front", "/");

    fn table() -> Table {
        let mut table = Table::default();
        for page in [&LIST, &BOOKING, &FRONT] {
            table.add(page).expect("no two pages share a pattern");
        }
        table
    }

    #[test]
    fn a_fixed_word_goes_before_a_name() {
        assert_eq!(table().find("/brands/booking").page, &BOOKING);
        let found = table().find("/brands/%D0%B0%2F1/");
        assert_eq!((found.page, found.param("brand")), (&LIST, "а/1"));
        assert_eq!(table().find("//").page, &FRONT);
    }

    #[test]
    fn a_page_has_one_plain_spelling() {
        const DETAILS: Page = Page::new("details", "/filials/{filial_id}/details");
        let mut table = table();
        table.add(&DETAILS).expect("no two pages share a pattern");
        for path in ["/", "/filials/7/details", "/brands/007", "/brands/%D0%B0"] {
            assert!(table.find(path).is_plain(path), "{path}");
        }
        for path in [
            "/filials/7/details/",
            "/filials/007/details",
            "/filials/+7/details",
            "/filials/%37/details",
            "/brands/7/",
        ] {
            let found = table.find(path);
            assert!(found.page != NOT_FOUND && !found.is_plain(path), "{path}");
        }
    }

    #[test]
    fn any_other_path_is_not_found() {
        for path in ["/nowhere", "/brands/1/2", "/brands/%ff", ""] {
            let found = table().find(path);
            assert_eq!(found.page == NOT_FOUND, !path.is_empty(), "{path}");
        }
    }

    #[test]
    fn two_pages_of_one_pattern_are_refused() {
        const SAME: Page = Page::new("same", "/brands/{other}");
        assert!(table().add(&SAME).is_err());
    }
}
