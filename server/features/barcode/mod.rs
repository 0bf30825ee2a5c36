//! Goods by their barcode: scanned by the camera, or typed (screens.md, 2.13). The typed page is the whole product
//! without a camera or scripts, and answers the scanner's questions as well.

mod digits;

use serde::{Deserialize, Serialize};

use super::{
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    page_data::{Product, Venue},
};
use crate::{
    error::Error,
    upstream::{self, VenueId},
    web::page::{Frame, Page},
};
use digits::Misread;

/// Longer than any barcode with its spaces; what is typed beyond is cut.
const LONGEST: usize = 40;

/// What came of looking a barcode up (BC-02, BC-03).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BarcodeOutcome {
    /// The venue sells it.
    Found,
    /// The venue has no such good.
    NotFound,
    /// Letters, or a check digit that does not fit.
    Wrong,
    /// Not 8 or 13 digits.
    Incomplete,
    /// The form was sent with nothing in it.
    Empty,
    /// The lookup failed: it may be there all the same.
    Unknown,
}

/// Why the camera is not used (BC-07, HB-05, HB-19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum CameraTrouble {
    /// The guest, or the system, has said no.
    Refused,
    /// Another application has it.
    Busy,
    /// There is none, or none that a page may use.
    Missing,
    /// The page around ours does not let us.
    Framed,
    /// It shows nothing but black.
    Black,
    /// It did not answer.
    Silent,
    /// What reads the codes did not come.
    Unread,
}

/// Page data of `/filials/{id}/barcode-manual`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarcodeManualPage {
    /// The venue.
    pub venue: Venue,
    /// It is a fridge, which can be opened.
    pub fridge: bool,
    /// What was typed; it stays when it leads to nothing.
    pub code: String,
    /// Nothing was looked up yet when there is none.
    pub outcome: Option<BarcodeOutcome>,
    /// The good that was found.
    pub product: Option<Product>,
    /// Why the guest was led here from the scanner.
    pub camera: Option<CameraTrouble>,
}

/// Page data of `/filials/{id}/barcode-scanner`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarcodeScannerPage {
    /// The venue.
    pub venue: Venue,
    /// It is a fridge, which can be opened.
    pub fridge: bool,
    /// It is the code of a table that is looked for.
    pub table: bool,
    /// Its number may be typed instead (FL-07, AX-14).
    pub typed: bool,
}

/// `/filials/{filial_id}/barcode-manual`
pub const MANUAL: Page = Page::builder("barcodeManual", "/filials/{filial_id}/barcode-manual")
    .query(&["code", "camera"])
    .personal(&["code"])
    // What a venue sells must not be read out by trying numbers (SC-07).
    .counted(&["code"])
    .open();

/// `/filials/{filial_id}/barcode-scanner`
pub const SCANNER: Page = Page::builder("barcodeScanner", "/filials/{filial_id}/barcode-scanner")
    .query(&["table"])
    .frame(Frame::Plain)
    .wasm()
    .open();

/// Loads the page where barcodes are typed.
///
/// # Errors
/// Not found for an unknown venue, the upstream's failure when the venue itself did not come.
pub async fn load_manual(request: PageRequest) -> Result<Loaded<BarcodeManualPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue = venue_of(&request).await?;
    let code = visit.query_text("code", LONGEST);
    let (outcome, product) = if code.is_empty() {
        (visit.typed("code").map(|_| BarcodeOutcome::Empty), None)
    } else {
        let (outcome, product) = look_up(&request, venue.location.venue_id, &code).await;
        (Some(outcome), product)
    };
    let camera = visit
        .query_value("camera")
        .and_then(|word| serde_json::from_value(word.into()).ok());
    let meta = place.meta_of(venue.town.as_ref());
    let page = BarcodeManualPage {
        venue: mapping::venue(&venue, &meta, &visit.app.images, visit.now),
        fridge: venue.is_fridge(),
        code,
        outcome,
        product: product.map(|product| mapping::product(&product, &visit.app.images)),
        camera,
    };
    let until = page.venue.open.until;
    Ok(Loaded::page(page).until(until))
}

/// Loads the scanner.
///
/// # Errors
/// Not found for an unknown venue, the upstream's failure when the venue itself did not come.
pub async fn load_scanner(request: PageRequest) -> Result<Loaded<BarcodeScannerPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue = venue_of(&request).await?;
    let meta = place.meta_of(venue.town.as_ref());
    Ok(Loaded::page(BarcodeScannerPage {
        venue: mapping::venue(&venue, &meta, &visit.app.images, visit.now),
        fridge: venue.is_fridge(),
        table: visit.query_value("table").is_some(),
        typed: venue.table_number_allowed,
    }))
}

/// A failure finds nothing and breaks nothing; what it was is told apart (BC-03).
async fn look_up(
    request: &PageRequest,
    venue: VenueId,
    code: &str,
) -> (BarcodeOutcome, Option<upstream::Product>) {
    let barcodes = match digits::read(code) {
        Ok(barcodes) => barcodes,
        Err(Misread::Wrong) => return (BarcodeOutcome::Wrong, None),
        Err(Misread::Incomplete) => return (BarcodeOutcome::Incomplete, None),
    };
    let visit = &request.visit;
    let (upstream, caller) = (&visit.app.upstream, visit.caller(None));
    for barcode in &barcodes {
        match upstream.product_by_barcode(&caller, venue, barcode).await {
            Ok(Some(product)) => return (BarcodeOutcome::Found, Some((*product).clone())),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(class = error.class(), "A barcode could not be looked up");
                return (BarcodeOutcome::Unknown, None);
            }
        }
    }
    (BarcodeOutcome::NotFound, None)
}

async fn venue_of(request: &PageRequest) -> Result<upstream::Venue, Error> {
    let visit = &request.visit;
    let venue_id = visit.matched.param("filial_id");
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    let venue = visit
        .app
        .upstream
        .venue(&visit.caller(None), venue_id, visit.brand())
        .await;
    venue
        .map(|venue| (*venue).clone())
        .map_err(|error| match error {
            upstream::Error::NotFound => Error::NotFound("venue"),
            other => Error::Upstream(other),
        })
}
