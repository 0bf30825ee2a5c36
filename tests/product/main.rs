//! The product over HTTP: the real binary with its sandbox, one process for each test.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]
#![allow(clippy::indexing_slicing, missing_docs, reason = "tests")]

mod account;
mod address_start;
mod addresses;
mod age;
mod another_guest;
mod arrivals;
mod assets;
mod avatar;
mod avatar_attacks;
mod bad_network;
mod barcode;
mod bill;
mod bill_pay;
mod bill_storm;
mod bonuses;
mod booking;
mod cart;
mod cart_changes;
mod cart_gates;
mod cart_sums;
mod changes;
mod checkout;
mod cli;
mod connections;
mod cookies;
mod deletion;
mod device;
mod errors;
mod framing;
mod freshness;
mod fridge;
mod host_app;
mod images;
mod kinds_storm;
mod kiosk;
mod layout;
mod limits;
mod lists;
mod locale;
mod map;
mod menu;
mod menu_lists;
mod menu_live;
mod methods;
mod openings;
mod operation;
mod order_page;
mod orders;
mod orders_cancel;
mod orders_delivery;
mod orders_grade;
mod orders_list;
mod orders_own;
mod outcomes;
mod pages;
mod paying;
mod payment_storm;
mod places;
mod profile;
mod refresh;
mod repeat;
mod restore;
mod reviews;
mod search;
mod security;
mod seo;
mod sign_in;
mod sign_in_attacks;
mod sign_in_store;
mod sign_out;
mod sign_out_everywhere;
mod signals;
mod signed_in_pages;
mod store;
mod stream;
mod support;
mod traces;
