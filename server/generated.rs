//! What the front has from this crate is up to date. These are unit tests, so that the product holds no code that writes
//! TypeScript of pages: it was a quarter of what the compiler made of the crate.

use std::path::Path;

use crate::{
    features::{
        addresses::AddressSuggestions,
        client_settings::ClientSettings,
        live::LiveMenu,
        search::Suggestions,
        shell::{MutationAnswer, Shell},
    },
    routes,
};

/// `make types` sets `WRITE_TYPES=1` and so writes the files; otherwise they are compared.
#[test]
fn page_data_types_are_generated_anew() {
    let mut types = routes::pages().declarations();
    types.add::<Shell>();
    types.add::<MutationAnswer>();
    types.add::<LiveMenu>();
    types.add::<ClientSettings>();
    types.add::<Suggestions>();
    types.add::<AddressSuggestions>();
    up_to_date("components/lib/page-data.ts", &types.text());
}

#[test]
fn the_route_table_of_the_browser_is_that_of_the_server() {
    up_to_date(
        "components/lib/page-routes.ts",
        &routes::pages().route_table(),
    );
}

fn up_to_date(file: &str, fresh: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        checked_in == fresh,
        "{file} is out of date: run `make types`"
    );
}
