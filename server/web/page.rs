//! What a page is: its id, its address, who may open it and what stands around it. Each page of a feature says this in
//! one constant; `routes.rs` registers the constants.

use std::{borrow::Cow, ops::Deref, sync::Arc};

use axum::{
    extract::{Request, State},
    http::Extensions,
    middleware::Next,
    response::Response,
};
use matchit::InsertError;
use percent_encoding::percent_decode_str;
use serde::Serialize;
use url::form_urlencoded;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
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
    /// Query keys of what opens over the page, which change it, too: the first one opens it, the others go with it.
    pub opens: &'static [&'static str],
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
    /// About all venues: the table of one of them is not shown.
    pub of_all_venues: bool,
    /// What comes along when the guest chooses another service.
    pub on_service: OnService,
    /// Stands in the sitemap (SO-08).
    pub in_sitemap: bool,
    /// What stands around it.
    pub layout: Layout,
}

impl Page {
    /// Begins to say what a page is. It is none before it says who may open it: by [`PageBuilder::shared`],
    /// [`PageBuilder::open`], [`PageBuilder::signed_in`] or [`PageBuilder::offers_sign_in`] at the end.
    #[must_use]
    pub const fn builder(id: &'static str, path: &'static str) -> PageBuilder {
        PageBuilder(Self {
            id,
            path,
            query: &[],
            opens: &[],
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
            of_all_venues: false,
            on_service: OnService::Stay,
            in_sitemap: false,
            layout: Layout {
                frame: Frame::Default,
                navbar: false,
                balance: false,
            },
        })
    }

    /// Whether an address of this page is one of `other`, too: several addresses may show one page.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.id == other.id
    }

    /// The query keys that change it, in the order of its own address.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.opens.iter().chain(self.query).copied()
    }

    /// Whether something is open over it at this address of it.
    #[must_use]
    pub fn has_overlay(&self, address: &str) -> bool {
        let opener = |key: &Cow<str>| self.opens.first().is_some_and(|opens| opens == key);
        let (_, query, _) = split(address);
        form_urlencoded::parse(query.as_bytes())
            .any(|(key, value)| opener(&key) && !value.trim().is_empty())
    }

    /// An address of it without what is open over it.
    #[must_use]
    pub fn without_overlay(&self, address: &str) -> String {
        without_keys(address, self.opens)
    }
}

/// A page for guests who are signed in (RT-06): its loader takes the proof of that.
#[derive(Debug, PartialEq, Eq)]
pub struct SignedInPage(Page);

impl Deref for SignedInPage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

/// A page that has not yet said who may open it, with a header around it unless it says otherwise.
#[derive(Debug)]
pub struct PageBuilder(Page);

impl PageBuilder {
    /// Everybody may open it, and it is cached for others when the session is blank (SR-03).
    #[must_use]
    pub const fn shared(mut self) -> Page {
        self.0.access = Access::Shared;
        self.0
    }

    /// Everybody may open it; it is made for each visit.
    #[must_use]
    pub const fn open(self) -> Page {
        self.0
    }

    /// For guests who are signed in (RT-06).
    #[must_use]
    pub const fn signed_in(mut self) -> SignedInPage {
        self.0.access = Access::SignedIn;
        SignedInPage(self.0)
    }

    /// For signed-in guests, with something to show to others, whom it offers the sign-in.
    #[must_use]
    pub const fn offers_sign_in(mut self) -> SignedInPage {
        self.0.offers_sign_in = true;
        self.signed_in()
    }

    /// About what a guest orders or pays.
    #[must_use]
    pub const fn of_orders(mut self) -> Self {
        self.0.of_orders = true;
        self
    }

    /// Asks for the age over itself where scripts run (UI-04).
    #[must_use]
    pub const fn asks_age(mut self) -> Self {
        self.0.asks_age = true;
        self
    }

    /// May be read before a guest of a host app has agreed to anything (SC-09).
    #[must_use]
    pub const fn before_consent(mut self) -> Self {
        self.0.before_consent = true;
        self
    }

    /// Runs WebAssembly.
    #[must_use]
    pub const fn wasm(mut self) -> Self {
        self.0.wasm = true;
        self
    }

    /// Shows an order, which goes on when a tablet forgets its guest (KS-02).
    #[must_use]
    pub const fn shows_order(mut self) -> Self {
        self.0.shows_order = true;
        self
    }

    /// Opens a door: the age is asked before, as no one asks behind it (BC-13).
    #[must_use]
    pub const fn opens_door(mut self) -> Self {
        self.0.opens_door = true;
        self
    }

    /// About the table of its address, which may be another one than the guest's.
    #[must_use]
    pub const fn names_table(mut self) -> Self {
        self.0.names_table = true;
        self
    }

    /// About all venues: the table of one of them is not shown.
    #[must_use]
    pub const fn of_all_venues(mut self) -> Self {
        self.0.of_all_venues = true;
        self
    }

    /// What comes along when the guest chooses another service (SV-03).
    #[must_use]
    pub const fn on_service(mut self, on_service: OnService) -> Self {
        self.0.on_service = on_service;
        self
    }

    /// Stands in the sitemap (SO-08).
    #[must_use]
    pub const fn in_sitemap(mut self) -> Self {
        self.0.in_sitemap = true;
        self
    }

    /// With the query keys that change it.
    #[must_use]
    pub const fn query(mut self, query: &'static [&'static str]) -> Self {
        self.0.query = query;
        self
    }

    /// With the query keys of what opens over it, the one that opens it first.
    #[must_use]
    pub const fn opens(mut self, opens: &'static [&'static str]) -> Self {
        self.0.opens = opens;
        self
    }

    /// With the query keys of one guest.
    #[must_use]
    pub const fn personal(mut self, personal: &'static [&'static str]) -> Self {
        self.0.personal = personal;
        self
    }

    /// With the query keys that make reading it count as a change for limits (S-20).
    #[must_use]
    pub const fn counted(mut self, counted: &'static [&'static str]) -> Self {
        self.0.counted = counted;
        self
    }

    /// With another frame.
    #[must_use]
    pub const fn frame(mut self, frame: Frame) -> Self {
        self.0.layout.frame = frame;
        self
    }

    /// With the main sections at hand.
    #[must_use]
    pub const fn navbar(mut self) -> Self {
        self.0.layout.navbar = true;
        self
    }

    /// With the balance of a signed-in guest.
    #[must_use]
    pub const fn balance(mut self) -> Self {
        self.0.layout.balance = true;
        self
    }

    /// With the balance of a signed-in guest at the venue of its address (BL-03).
    #[must_use]
    pub const fn venue_balance(mut self) -> Self {
        self.0.venue_balance = true;
        self.balance()
    }
}

/// The path of an address, its query without the mark, and its part with it.
#[must_use]
pub fn split(address: &str) -> (&str, &str, &str) {
    let (page, part) = address.split_at(address.find('#').unwrap_or(address.len()));
    let (path, query) = page.split_once('?').unwrap_or((page, ""));
    (path, query, part)
}

/// An address without these keys of its query. Its part, and the rest of its query, stay as they are.
#[must_use]
pub fn without_keys(address: &str, keys: &[&str]) -> String {
    let (path, query, part) = split(address);
    let rest: Vec<&str> = pairs(query)
        .filter(|(key, _)| !keys.contains(&&**key))
        .map(|(_, pair)| pair)
        .collect();
    if rest.is_empty() {
        format!("{path}{part}")
    } else {
        format!("{path}?{}{part}", rest.join("&"))
    }
}

/// The pairs of a query as they stand there, each with its key.
fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    let parts = query.split('&').filter(|pair| !pair.is_empty());
    parts.filter_map(|pair| {
        let (key, _) = form_urlencoded::parse(pair.as_bytes()).next()?;
        Some((key, pair))
    })
}

/// What stands for a venue in the patterns of pages.
const VENUE: &str = "{filial_id}";

/// The page of every address that has none.
pub const NOT_FOUND: &Page = &Page::builder("notFound", "").before_consent().open();

/// A page with what its address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The page.
    pub page: &'static Page,
    params: Arc<[(String, String)]>,
}

impl Matched {
    /// What [`matched`] has found for a request.
    #[must_use]
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get().cloned().unwrap_or_else(Self::nothing)
    }

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
            params: Arc::default(),
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
        let decoded: Option<Arc<_>> = found
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

/// Middleware around all that asks which page a request is for: the path is looked for once, behind a prefix and for the
/// data of a page as well. The others read it by [`Matched::of`].
pub async fn matched(
    State(pages): State<Arc<Table>>,
    mut request: Request,
    next: Next,
) -> Response {
    let found = pages.find(own_path(request.uri().path()));
    request.extensions_mut().insert(found);
    next.run(request).await
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

    const LIST: Page = Page::builder("list", "/brands/{brand}").open();
    const BOOKING: Page = Page::builder("booking", "/brands/booking").open();
    const FRONT: Page = Page::builder("front", "/").open();

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
        const DETAILS: Page = Page::builder("details", "/filials/{filial_id}/details").open();
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
    fn what_is_open_over_a_page_goes_and_the_rest_of_its_address_stays() {
        const MENU: Page = Page::builder("menu", "/filials/{filial_id}")
            .opens(&["item", "line"])
            .query(&["tag"])
            .open();
        assert!(MENU.keys().eq(["item", "line", "tag"]));
        for (address, is_open, closed) in [
            ("/filials/7?item=1&line=a#part", true, "/filials/7#part"),
            (
                "/filials/7?tag=%2B&it%65m=1&x",
                true,
                "/filials/7?tag=%2B&x",
            ),
            (
                "/filials/7?tag=item=1#item=1",
                false,
                "/filials/7?tag=item=1#item=1",
            ),
            (
                "/filials/7?item=+&lineitem=2",
                false,
                "/filials/7?lineitem=2",
            ),
            ("/filials/7?line=a", false, "/filials/7"),
            ("/filials/7", false, "/filials/7"),
        ] {
            assert_eq!(MENU.has_overlay(address), is_open, "{address}");
            assert_eq!(MENU.without_overlay(address), closed, "{address}");
        }
        assert!(!LIST.has_overlay("/brands/7?item=1"));
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
        const SAME: Page = Page::builder("same", "/brands/{other}").open();
        assert!(table().add(&SAME).is_err());
    }
}
