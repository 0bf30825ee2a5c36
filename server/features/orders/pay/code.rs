//! The QR code of a payment: for the bank's application on another phone.

use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use qrcode::{QrCode, render::svg};

use super::{load::bank, subject::Subject};
use crate::{error::Error, features::bills::Part, upstream::PaymentStatus, web::visit::Visit};

/// Least width of the picture, pixels.
const WIDTH: u32 = 240;

/// `GET /pay/{token}/code.svg`.
///
/// # Errors
/// Not found when there is nothing to pay at the bank now.
pub async fn code(visit: Visit, Path(token): Path<String>) -> Result<Response, Error> {
    let gone = || Error::NotFound("order");
    if let Some(part) = Part::of(&visit, &token).await? {
        let address = part
            .payment(&visit)
            .await?
            .filter(|payment| payment.status == PaymentStatus::Pending)
            .and_then(|payment| bank(&visit, &payment, Some(part.due())))
            .ok_or_else(gone)?;
        return picture(address);
    }
    let subject = Subject::of(&visit, &token).await?.ok_or_else(gone)?;
    let order = &subject.order;
    let address = order
        .attempt
        .as_ref()
        .filter(|attempt| attempt.status == PaymentStatus::Pending)
        .and_then(|attempt| bank(&visit, attempt, order.sum))
        .ok_or_else(gone)?;
    picture(address)
}

fn picture(address: String) -> Result<Response, Error> {
    let code = QrCode::new(address).map_err(|_| Error::NotFound("order"))?;
    let picture = code
        .render::<svg::Color<'_>>()
        .min_dimensions(WIDTH, WIDTH)
        .quiet_zone(true)
        .build();
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("image/svg+xml"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, picture).into_response())
}
