//! The forms of the page.

use super::html::{View, escaped, put};
use crate::accounts::grant::PHONE_CODE;
use crate::orders::promo;
use crate::orders::timeline::STATUSES;
use crate::payments::OUTCOMES;

const KINDS: [&str; 9] = [
    "status",
    "delay",
    "hang",
    "reset",
    "truncate",
    "cut_json",
    "html",
    "wrong_type",
    "error_code",
];

impl View<'_> {
    pub(super) fn controls(&self, html: &mut String) {
        html.push_str("<h2>Controls</h2><div class=\"forms\">");
        let factor = self.app.clock.setting().speed.to_string();
        form(
            html,
            "speed",
            "How fast orders move",
            &field("Factor", "factor", &factor),
        );
        form(
            html,
            "clock",
            "Clock",
            &[
                field(
                    "Now, ISO 8601; empty gives it back to the machine",
                    "now",
                    "",
                ),
                tick("It stands still", "frozen"),
            ]
            .concat(),
        );
        let filial = field("Filial", "filial_id", "");
        let product = field("Product", "product_id", "");
        form(
            html,
            "price",
            "Price",
            &[filial.as_str(), &product, &field("Price", "price", "")].concat(),
        );
        form(
            html,
            "stock",
            "Stock",
            &[
                filial.as_str(),
                &product,
                &choice("It is", "available", &[("0", "sold out"), ("1", "there")]),
            ]
            .concat(),
        );
        form(
            html,
            "opening",
            "Opening",
            &[
                filial.as_str(),
                &choice(
                    "The venue is",
                    "on",
                    &[("1", "closed by hand"), ("0", "open by its hours")],
                ),
            ]
            .concat(),
        );
        form(
            html,
            "check-pulling",
            "Table QR",
            &[
                filial.as_str(),
                &choice("It opens", "on", &[("1", "the bill"), ("0", "the menu")]),
            ]
            .concat(),
        );
        let newest = self.orders.first().map_or("", |order| order.id.as_str());
        let statuses = STATUSES.map(|status| (status, status));
        form(
            html,
            "order-status",
            "Order",
            &[
                field("Order id", "order_id", newest),
                choice("Status", "status", &statuses),
                field("Reason of a cancellation", "reason", ""),
            ]
            .concat(),
        );
        form(
            html,
            "fault",
            "Fault",
            &[
                field("Path prefix, or *", "path", "*"),
                choice("What goes wrong", "kind", &KINDS.map(|kind| (kind, kind))),
                field("Status", "status", ""),
                field("Delay, ms", "delay_ms", ""),
                field("Times; empty is always", "times", ""),
                tick("After the work is done", "after_commit"),
            ]
            .concat(),
        );
        let faults: Vec<String> = self
            .app
            .faults
            .list()
            .iter()
            .map(|fault| format!("<li>{:?} on {}</li>", fault.kind, escaped(&fault.path)))
            .collect();
        form(
            html,
            "heal",
            "End all faults",
            &format!("<ul>{}</ul>", faults.concat()),
        );
        form(
            html,
            "reset",
            "Start anew",
            "<p>Orders, changes and faults are gone.</p>",
        );
        html.push_str("</div>");
    }

    /// What a waiter, a bank, another phone or a broken fridge does.
    pub(super) fn business(&self, html: &mut String) {
        let codes: Vec<&str> = promo::codes().collect();
        put(
            html,
            format_args!(
                "<h2>Business</h2><p>Every phone signs in with the code <strong>{PHONE_CODE}</strong>. Promo codes: {}.</p><div class=\"forms\">",
                codes.join(", ")
            ),
        );
        let filial = field("Filial", "filial_id", "");
        let phone = field("Phone", "phone", "+77010000001");
        let newest = self.orders.iter().find_map(|order| order.attempt.as_ref());
        let payment = newest.map_or("", |payment| payment.id.as_str());
        form(
            html,
            "payment",
            "Payment",
            &[
                field("Payment id", "payment_id", payment),
                choice("It", "outcome", &OUTCOMES.map(|outcome| (outcome, outcome))),
            ]
            .concat(),
        );
        form(
            html,
            "bill-open",
            "Open a bill",
            &[filial.as_str(), &field("Table id", "table_id", "")].concat(),
        );
        form(
            html,
            "bill-add",
            "Add to a bill",
            &[
                field("Bill id", "bill_id", self.bill),
                field("Product", "product_id", ""),
                field("Count", "count", "1"),
            ]
            .concat(),
        );
        form(
            html,
            "bill-pay",
            "Another phone pays",
            &[
                field("Bill id", "bill_id", self.bill),
                field("Sum", "sum", ""),
            ]
            .concat(),
        );
        form(
            html,
            "bill-close",
            "Close a bill",
            &field("Bill id", "bill_id", self.bill),
        );
        form(
            html,
            "lock",
            "Fridge",
            &[
                filial.as_str(),
                &choice("Its lock is", "on", &[("1", "broken"), ("0", "whole")]),
            ]
            .concat(),
        );
        form(
            html,
            "balance",
            "Balance",
            &[
                phone.as_str(),
                &field("Bonuses", "bonus", ""),
                &field("Money", "money", ""),
                &field("Points of the level", "points", ""),
                &field("Notification chat", "chat", ""),
            ]
            .concat(),
        );
        form(
            html,
            "tokens",
            "End the tokens",
            &field("Phone; empty is everybody", "phone", ""),
        );
        html.push_str("</div>");
    }
}

fn form(html: &mut String, control: &str, title: &str, fields: &str) {
    put(
        html,
        format_args!(
            "<form method=\"post\" action=\"/_sandbox/forms/{control}\"><strong>{title}</strong>{fields}<button>{title}: apply</button></form>",
        ),
    );
}

fn field(label: &str, name: &str, value: &str) -> String {
    format!(
        "<label>{label}<input name=\"{name}\" value=\"{}\"></label>",
        escaped(value)
    )
}

fn tick(label: &str, name: &str) -> String {
    format!(
        "<label class=\"row\"><input type=\"checkbox\" name=\"{name}\" value=\"1\">{label}</label>"
    )
}

fn choice(label: &str, name: &str, options: &[(&str, &str)]) -> String {
    let options: Vec<String> = options
        .iter()
        .map(|(value, text)| format!("<option value=\"{value}\">{text}</option>"))
        .collect();
    format!(
        "<label>{label}<select name=\"{name}\">{}</select></label>",
        options.concat()
    )
}
