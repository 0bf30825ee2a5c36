//! The names of all measurements, with what they count.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

/// How a measurement moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// As it is now.
    Gauge,
    /// Seconds, in buckets.
    Seconds,
}

/// Name, kind and meaning.
#[rustfmt::skip]
pub const ALL: &[(&str, Kind, &str)] = &[
    ("build_info", Kind::Gauge, "1, with the version that runs"),
    ("http_request_seconds", Kind::Seconds, "Requests by route, kind and class of status"),
    ("connections_cut_total", Kind::Counter, "Connections or bodies that were ended, by cause"),
    ("admission_refused_total", Kind::Counter, "Pages and suggestions that were refused as their turn would have come too late, and searches as too many were under way"),
    ("connections_full_total", Kind::Counter, "Times that all MAX_CONNECTIONS were taken"),
    ("rate_limited_total", Kind::Counter, "Requests over a limit of a session or an address"),
    ("csrf_denied_total", Kind::Counter, "Changes that came from another site"),
    ("csp_reports_total", Kind::Counter, "Reports of the content security policy, by directive"),
    ("streams_refused_total", Kind::Counter, "Streams over ADDRESS_STREAMS"),
    ("pages_total", Kind::Counter, "Pages by route and whether they were rendered here"),
    ("page_cache_total", Kind::Counter, "What the page cache came to, by outcome"),
    ("page_cache_pages", Kind::Gauge, "Pages that are kept"),
    ("sections_lost_total", Kind::Counter, "Sections of pages that could not be rendered"),
    ("fragments_reused_total", Kind::Counter, "Pieces of pages that were rendered before"),
    ("ssr_isolates", Kind::Gauge, "Isolates that render"),
    ("ssr_spares", Kind::Gauge, "Isolates that stand ready to replace one"),
    ("ssr_queue_depth", Kind::Gauge, "Renders that wait for an isolate"),
    ("ssr_heap_bytes", Kind::Gauge, "Heaps of all isolates"),
    ("ssr_usual_render_microseconds", Kind::Gauge, "How long a render takes at present"),
    ("ssr_renders_total", Kind::Counter, "Renders"),
    ("ssr_render_microseconds_total", Kind::Counter, "Time of all renders"),
    ("ssr_wait_microseconds_total", Kind::Counter, "Time that renders waited for an isolate"),
    ("ssr_overloaded_total", Kind::Counter, "Pages that were left to browsers as their turn would have come too late"),
    ("ssr_terminations_total", Kind::Counter, "Isolates that were ended, by cause"),
    ("ssr_threw_total", Kind::Counter, "Renders that threw"),
    ("log_lines_dropped_total", Kind::Counter, "Log lines that were dropped, as their reader stood still"),
    ("ssr_recycled_total", Kind::Counter, "Isolates that were replaced in good order"),
    ("ssr_unhandled_rejections_total", Kind::Counter, "Promises that were rejected and not handled"),
    ("state_health", Kind::Gauge, "1 for the state that the store is in"),
    ("state_seconds", Kind::Seconds, "Reads and writes of the store, by outcome"),
    ("state_cart_conflicts_total", Kind::Counter, "Changes of carts that had to be made again"),
    ("sessions_unsaved_total", Kind::Counter, "Sessions that were not kept, by cause"),
    ("sessions_short_lived_total", Kind::Counter, "Sessions beyond the share of their address, which end after an hour"),
    ("sign_outs_total", Kind::Counter, "Guests whom the upstream no longer knows"),
    ("sign_in_renewals_total", Kind::Counter, "Bearers that were renewed, by outcome"),
    ("orders_total", Kind::Counter, "Orders by outcome"),
    (
        "fridges_total",
        Kind::Counter,
        "Doors of fridges that were told to open, by outcome",
    ),
    (
        "bill_payments_total",
        Kind::Counter,
        "Payments of bills by outcome, and what became of parts that were not paid",
    ),
    ("waiter_calls_total", Kind::Counter, "Waiters who were called to a table"),
    ("upstream_calls_total", Kind::Counter, "Calls by part, call and outcome"),
    ("upstream_call_seconds", Kind::Seconds, "Calls by part, retries included"),
    ("upstream_retries_total", Kind::Counter, "Calls that were sent again"),
    ("upstream_breaker_open", Kind::Gauge, "1 while a part of the upstream is left alone"),
    ("upstream_cache_total", Kind::Counter, "What the catalogue came to, by state"),
    ("upstream_dropped_elements_total", Kind::Counter, "Elements of answers that could not be read"),
    ("image_cache_failures_total", Kind::Counter, "Pictures that could not be kept"),
    ("picture_storage_failures_total", Kind::Counter, "Pictures that a storage which fails did not give"),
    ("live_venues", Kind::Gauge, "Venues that pages watch now"),
    ("analytics_events_total", Kind::Counter, "What guests do, by names and ways alone"),
    ("browser_faults_total", Kind::Counter, "Errors of browsers, by kind"),
    ("browser_vitals_total", Kind::Counter, "Web vitals of pages, by rating"),
    ("browser_reports_refused_total", Kind::Counter, "What browsers told that is on no list"),
    ("hosts_file_wrong", Kind::Gauge, "1 while the hosts file is wrong, and what was read before stays"),
    ("remote_config_total", Kind::Counter, "Answers about the remote configuration, by outcome"),
    ("reports_total", Kind::Counter, "Events and errors on their way to a receiver outside, by outcome"),
];

/// Counters with what their labels can say. Those of the render engine are read when they are asked for, those of calls
/// begin with each first call.
#[rustfmt::skip]
const BEGUN: &[(&str, &[Labels])] = &[
    ("connections_cut_total", &[&[("cause", &["no_request", "no_reader", "slow_body", "crowded", "unreadable"])]]),
    ("admission_refused_total", &[&[("kind", &["page", "suggestion", "search"])]]),
    ("connections_full_total", NONE),
    ("rate_limited_total", NONE),
    ("csrf_denied_total", &[&[("kind", &["cross_site", "same_site", "unknown_site", "null_origin", "foreign_origin", "foreign_host", "unproven"])]]),
    ("csp_reports_total", &[&[("directive", &["script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr", "img-src", "font-src", "connect-src", "form-action", "frame-ancestors", "base-uri", "other"])]]),
    ("streams_refused_total", NONE),
    ("page_cache_total", &[&[("outcome", &["hit", "stale", "stale_on_error", "miss"])]]),
    ("fragments_reused_total", NONE),
    ("state_cart_conflicts_total", NONE),
    ("sessions_unsaved_total", &[&[("cause", &["rate", "store"])]]),
    ("sessions_short_lived_total", NONE),
    ("sign_outs_total", &[&[("cause", &["refused"])]]),
    ("sign_in_renewals_total", &[&[("outcome", &["renewed", "refused", "failed"])]]),
    ("orders_total", &[&[("outcome", &["placed", "refused", "unknown", "unavailable", "left", "taken_back"])]]),
    ("fridges_total", &[&[("outcome", &["opened", "refused", "unknown"])]]),
    ("bill_payments_total", &[&[("outcome", &["opened", "refused", "unknown", "made_way", "called_off", "still_paying"])]]),
    ("waiter_calls_total", NONE),
    ("upstream_cache_total", &[&[("state", &["fresh", "stale", "miss", "stale_on_error", "renewed", "error", "coalesced"])]]),
    ("image_cache_failures_total", NONE),
    ("picture_storage_failures_total", NONE),
    ("analytics_events_total", &[
        &[("event", &["app_opened", "auth_success", "venue_selected", "menu_opened", "item_added", "basket_opened", "payment_succeeded", "tips", "review", "address", "profile_deleted"])],
        &[("event", &["cart_cleared"]), ("cause", &["guest", "last_line", "unavailable", "other_venue", "other_branch", "ordered", "forgotten"])],
        &[("event", &["search_confirmed"]), ("via", &["submit", "history", "suggestion"])],
    ]),
    ("browser_faults_total", &[&[("kind", &["error", "rejection", "hydration", "start", "reload"])]]),
    ("browser_vitals_total", &[&[("name", &["LCP", "CLS", "INP", "FCP", "TTFB"]), ("rating", &["good", "middling", "poor"])]]),
    ("browser_reports_refused_total", NONE),
    ("remote_config_total", &[&[("outcome", &["told", "failed", "late"])]]),
    ("reports_total", &[&[("to", &["analytics", "sentry"]), ("outcome", &["sent", "failed", "refused", "dropped"])]]),
];

/// Tells the recorder what the names mean, and which build this is.
pub fn describe() {
    for &(name, kind, meaning) in ALL {
        match kind {
            Kind::Counter => describe_counter!(name, meaning),
            Kind::Gauge => describe_gauge!(name, meaning),
            Kind::Seconds => describe_histogram!(name, Unit::Seconds, meaning),
        }
    }
    metrics::gauge!("build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Begins the counters with nothing: one that is first seen when it is one has not grown, and no alert would know. `pages`
/// are the ids of all pages, `parts` those of the upstream.
pub fn begin(pages: &[&'static str], parts: &[&'static str]) {
    for (name, ways) in BEGUN {
        for labels in *ways {
            for labels in each(labels) {
                zero(name, &labels);
            }
        }
    }
    metrics::gauge!("live_venues").increment(0.0);
    for &page in pages {
        zero("sections_lost_total", &[("route", page)]);
        for mode in ["ssr", "shell"] {
            zero("pages_total", &[("route", page), ("mode", mode)]);
        }
    }
    for &part in parts {
        zero("upstream_retries_total", &[("part", part)]);
    }
}

/// A label with its words, one after the other.
type Labels = &'static [(&'static str, &'static [&'static str])];

const NONE: &[Labels] = &[&[]];

type Pairs = Vec<(&'static str, &'static str)>;

/// Every word of every label with every word of the others.
fn each(labels: Labels) -> Vec<Pairs> {
    let Some(((label, words), rest)) = labels.split_first() else {
        return vec![Pairs::new()];
    };
    let others = each(rest);
    let with = |word: &&'static str| {
        let word = *word;
        others.iter().map(move |other| {
            let mut pairs = vec![(*label, word)];
            pairs.extend(other);
            pairs
        })
    };
    words.iter().flat_map(with).collect()
}

fn zero(name: &'static str, labels: &[(&'static str, &'static str)]) {
    metrics::counter!(name, labels).increment(0);
}
