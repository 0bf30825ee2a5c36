//! The markup of the page.

use std::fmt::Write;

use super::links::{self, Link};
use crate::app::App;
use crate::catalogue::Voice;
use crate::clock::iso;
use crate::money::major;
use crate::orders::record::Record;

/// The style of every page of the sandbox.
pub(crate) const STYLE: &str = include_str!("page.css");

/// What the page shows.
pub(crate) struct View<'a> {
    pub(crate) app: &'a App,
    pub(crate) links: &'a [Link],
    pub(crate) orders: &'a [Record],
    /// The newest open bill, or nothing.
    pub(crate) bill: &'a str,
    pub(crate) done: Option<&'a str>,
    pub(crate) wrong: Option<&'a str>,
}

impl View<'_> {
    pub(crate) fn render(&self) -> String {
        let mut html = String::from(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Sandbox</title><style>",
        );
        html.push_str(STYLE);
        html.push_str("</style><body><main><h1>Sandbox upstream</h1>");
        self.say(&mut html);
        let setting = self.app.clock.setting();
        put(
            &mut html,
            format_args!(
                "<p class=\"quiet\">Clock {} · orders move {}× · <a href=\"/_sandbox/openapi.json\">OpenAPI</a> · <a href=\"/_sandbox/log\">requests</a> · <a href=\"/_sandbox/api/tables\">all tables</a></p>",
                iso(self.app.clock.now()),
                setting.speed,
            ),
        );
        self.tables(&mut html);
        self.fridges(&mut html);
        self.orders(&mut html);
        self.controls(&mut html);
        self.business(&mut html);
        html.push_str("</main></body></html>");
        html
    }

    fn say(&self, html: &mut String) {
        if let Some(text) = self.done {
            put(
                html,
                format_args!("<p role=\"status\">{}</p>", escaped(text)),
            );
        }
        if let Some(text) = self.wrong {
            put(
                html,
                format_args!("<p role=\"alert\">{}</p>", escaped(text)),
            );
        }
    }

    /// One link per venue, under its country and town.
    fn tables(&self, html: &mut String) {
        html.push_str("<h2>Table QR codes</h2><p class=\"quiet\">Each link is what the code on a table holds.</p>");
        let mut above = None;
        for link in self.links {
            let here = (&link.country, &link.town);
            if above != Some(here) {
                html.push_str(if above.is_some() { "</ul>" } else { "" });
                let country = link.country.to_uppercase();
                put(
                    html,
                    format_args!(
                        "<h3>{} · {}</h3><ul class=\"tables\">",
                        escaped(&country),
                        escaped(&link.town)
                    ),
                );
                above = Some(here);
            }
            put(
                html,
                format_args!(
                    "<li><a href=\"{}\">{}</a> <span class=\"mark\">table {}</span> <span class=\"quiet\">{}</span>",
                    escaped(&link.url),
                    escaped(&link.venue),
                    escaped(&link.number),
                    link.filial_id,
                ),
            );
            html.push_str(if link.closed {
                " <span class=\"mark\">closed</span>"
            } else {
                ""
            });
            html.push_str(if link.check_pulling {
                " <span class=\"mark\">opens the bill</span>"
            } else {
                ""
            });
            html.push_str("</li>");
        }
        html.push_str(if above.is_some() {
            "</ul>"
        } else {
            "<p>There are no tables.</p>"
        });
    }

    /// What a guest opens by the code on its door, and takes from.
    fn fridges(&self, html: &mut String) {
        html.push_str("<h2>Fridges</h2><ul class=\"tables\">");
        for place in links::fridges(self.app) {
            let voice = Voice::choose(None, place.country);
            put(
                html,
                format_args!(
                    "<li><a href=\"{}/filials/{2}\">{}</a> <span class=\"quiet\">{2}</span></li>",
                    escaped(&self.app.web_url),
                    escaped(place.venue.name.get(voice.lang, voice.fallback)),
                    place.filial,
                ),
            );
        }
        html.push_str("</ul>");
    }

    fn orders(&self, html: &mut String) {
        html.push_str("<h2>Newest orders</h2>");
        if self.orders.is_empty() {
            html.push_str("<p class=\"quiet\">None yet.</p>");
            return;
        }
        html.push_str("<div class=\"scroll\"><table><thead><tr><th>Number<th>Id<th>Filial<th>Table<th>Sum<th>Payment<th>Status<th>Placed</tr></thead><tbody>");
        for order in self.orders {
            let steps = order.steps(self.app);
            let status = steps.last().map_or("", |step| step.status.as_str());
            put(
                html,
                format_args!(
                    "<tr><td>{}<td><code>{}</code><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
                    escaped(&order.number),
                    escaped(&order.id),
                    order.filial,
                    escaped(order.table.as_deref().unwrap_or("–")),
                    major(order.sum),
                    escaped(&order.payment),
                    escaped(status),
                    iso(order.created_at),
                ),
            );
        }
        html.push_str("</tbody></table></div>");
    }
}

/// Adds a formatted piece.
pub(super) fn put(html: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = html.write_fmt(text);
}

/// The text as markup shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
