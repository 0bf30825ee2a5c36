//! The generated TypeScript of the page data and of the route table is up to date, and the layers of the sources hold.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(missing_docs, reason = "tests")]

mod layers;

use std::path::Path;

use dastarkhan::{
    features::{
        addresses::AddressSuggestions,
        client_settings::ClientSettings,
        live::LiveMenu,
        search::Suggestions,
        shell::{MutationAnswer, Shell},
    },
    routes,
};
use ts_rs::{Config, TS};

/// `make types` sets `WRITE_TYPES=1` and so writes the files; otherwise they are compared.
#[test]
fn page_data_types_are_generated_anew() {
    let folder = std::env::temp_dir().join(format!("dastarkhan-types-{}", std::process::id()));
    let config = Config::new().with_large_int("number").with_out_dir(&folder);
    let pages = routes::pages();
    pages.export(&config).expect("page data exports");
    Shell::export_all(&config).expect("what stands around pages exports");
    MutationAnswer::export_all(&config).expect("mutation answer exports");
    LiveMenu::export_all(&config).expect("live menu exports");
    ClientSettings::export_all(&config).expect("settings of the browser export");
    Suggestions::export_all(&config).expect("suggestions export");
    AddressSuggestions::export_all(&config).expect("suggestions of addresses export");
    let types =
        std::fs::read_to_string(folder.join("page-data.ts")).expect("one file holds all types");
    std::fs::remove_dir_all(&folder).expect("the temporary folder goes away");
    up_to_date(
        "components/lib/page-data.ts",
        &format!("{types}\n{}", pages.types()),
    );
}

#[test]
fn the_route_table_of_the_browser_is_that_of_the_server() {
    up_to_date(
        "components/lib/page-routes.ts",
        &routes::pages().route_table(),
    );
}

fn up_to_date(file: &str, fresh: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(&path, fresh).expect("the generated file can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == fresh, "{file} is out of date: run `make types`");
}
