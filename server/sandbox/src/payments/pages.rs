//! The pages of the bank, and the status of an attempt.

use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use qrcode::QrCode;
use qrcode::render::svg;
use serde_json::Value;

use super::{OUTCOMES, Payment, find, finish};
use crate::api::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::controls::{STYLE, escaped};
use crate::money::major;
use crate::openapi::schema::{self, number, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

/// The parameter of the page that the phone's bank sees.
const PHONE: &str = "phone";

pub(crate) fn routes(api: Api) -> Api {
    let form = || object(&[("outcome", one_of_texts(&OUTCOMES)), ("phone?", text())]);
    api.add(
        Operation::get(
            "/pay/card/{payment}",
            "cardPage",
            "The card page of the bank",
        )
        .answers_as(200, "text/html")
        .refuses(&[404]),
        get(card).post(submit),
    )
    .describe(
        Operation::post(
            "/pay/card/{payment}",
            "cardStep",
            "Ends the attempt; leads back to the web application",
        )
        .form(form())
        .answers_bare(303)
        .refuses(&[400, 404]),
    )
    .add(
        Operation::get(
            "/pay/qr/{payment}",
            "qrPage",
            "The page of the QR payment; it waits for the phone",
        )
        .query(PHONE, text())
        .answers_as(200, "text/html")
        .answers_bare(303)
        .refuses(&[404]),
        get(qr).post(submit),
    )
    .describe(
        Operation::post(
            "/pay/qr/{payment}",
            "qrStep",
            "What the other phone does with the QR",
        )
        .form(form())
        .answers_bare(303)
        .refuses(&[400, 404]),
    )
    .add(
        Operation::get(
            "/payments/v1/payment/{payment}",
            "payment",
            "The truth about an attempt",
        )
        .answers(200, schema::data(reference("Payment")))
        .refuses(&[404]),
        get(show),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let payment = object(&[
        ("id", text()),
        (
            "status",
            one_of_texts(&[
                "pending",
                "succeeded",
                "declined",
                "abandoned",
                "timed_out",
                "refunded",
            ]),
        ),
        ("sum", number()),
        ("currency", text()),
        ("method", one_of_texts(&["card", "qr"])),
        ("url", text()),
        ("subject", one_of_texts(&["order", "bill", "tips"])),
        ("subject_id", text()),
    ]);
    vec![("Payment", payment)]
}

async fn show(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    data(payment(&app, id).await?.wire(&caller.base))
}

async fn card(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let payment = payment(&app, id).await?;
    let fields = "<label>Card number<input name=\"card\" inputmode=\"numeric\" value=\"4242 4242 4242 4242\"></label>";
    Ok(page(&payment, "Card payment", fields, ""))
}

/// The page looks again by itself, as the phone ends the attempt elsewhere. What the code
/// holds is the same address as the phone's bank sees it.
async fn qr(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Result<Response, Refusal> {
    let payment = payment(&app, id).await?;
    if params.flag(PHONE) {
        let fields = format!("<input type=\"hidden\" name=\"{PHONE}\" value=\"1\">");
        return Ok(page(&payment, "Your bank", &fields, ""));
    }
    if payment.status != "pending" {
        return Ok(back(&payment));
    }
    let address = format!("{}/pay/qr/{}?{PHONE}=1", caller.base, payment.id);
    let fields = format!(
        "<p>Scan it with your bank's application, or <a href=\"{0}\" target=\"_blank\">open it here</a>: code <code>{1}</code></p>{2}",
        escaped(&address),
        escaped(&payment.id),
        drawn(&address)?,
    );
    Ok(page(
        &payment,
        "QR payment",
        &fields,
        "<meta http-equiv=\"refresh\" content=\"3\">",
    ))
}

async fn submit(
    State(app): State<App>,
    Path(id): Path<String>,
    body: String,
) -> Result<Response, Refusal> {
    let form = Params::parse(&body);
    let outcome = form.get("outcome").unwrap_or("").to_owned();
    if !OUTCOMES.contains(&outcome.as_str()) {
        return Err(Refusal::bad(format!(
            "outcome must be one of {}",
            OUTCOMES.join(", ")
        )));
    }
    let shared = app.clone();
    let payment = app
        .store
        .write(move |db| finish(db, &shared, &id, &outcome))
        .await?;
    if form.flag(PHONE) {
        // The guest goes on where the code was shown.
        let shown = format!("/pay/qr/{}?{PHONE}=1", payment.id);
        return Ok(Redirect::to(&shown).into_response());
    }
    Ok(back(&payment))
}

/// The QR code of an address, with the quiet zone that scanners need.
fn drawn(address: &str) -> Result<String, Refusal> {
    let code = QrCode::new(address).map_err(|_| Refusal::bad("The address is too long"))?;
    let drawing = code
        .render::<svg::Color<'_>>()
        .min_dimensions(240, 240)
        .quiet_zone(true)
        .build();
    // What stands before the element is for files, not for a page.
    let element = drawing.find("<svg").map_or("", |start| &drawing[start..]);
    Ok(format!(
        "<figure role=\"img\" aria-label=\"QR code of the payment\">{element}</figure>"
    ))
}

async fn payment(app: &App, id: String) -> Result<Payment, Refusal> {
    app.expire().await?;
    let now = app.clock.now();
    app.store.read(move |db| find(db, &id, now)).await
}

/// Leads back; the address says which attempt it was and nothing of how it ended.
fn back(payment: &Payment) -> Response {
    let succeeded = payment.status == "succeeded";
    let url = if succeeded {
        &payment.success_url
    } else {
        &payment.failure_url
    };
    let joint = if url.contains('?') { '&' } else { '?' };
    Redirect::to(&format!("{url}{joint}payment_id={}", payment.id)).into_response()
}

fn page(payment: &Payment, title: &str, fields: &str, head: &str) -> Response {
    let buttons = if payment.status == "pending" {
        let names = [
            "Pay",
            "Decline it",
            "Leave without paying",
            "Let it time out",
        ];
        let buttons = OUTCOMES.iter().zip(names).map(|(outcome, name)| {
            format!("<button name=\"outcome\" value=\"{outcome}\">{name}</button>")
        });
        buttons.collect::<String>()
    } else {
        format!(
            "<p role=\"status\">This payment has ended: {}.</p>",
            payment.status
        )
    };
    let sum = format!("{} {}", major(payment.sum), payment.currency);
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">{head}<title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1><p>To pay: <strong>{}</strong></p><form method=\"post\">{fields}{buttons}</form></main></html>",
        escaped(&sum)
    ))
    .into_response()
}
