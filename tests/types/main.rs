//! The generated TypeScript of the page data is up to date.
use std::path::Path;

use dastarkhan::features::{
    live::LiveMenu, page::PageData, search::Suggestions, shell::MutationAnswer,
};
use ts_rs::{Config, TS};

/// `make types` sets `WRITE_TYPES=1` and so writes the file; otherwise it is compared.
#[test]
fn page_data_types_are_generated_anew() {
    let folder = std::env::temp_dir().join(format!("dastarkhan-types-{}", std::process::id()));
    let config = Config::new().with_large_int("number").with_out_dir(&folder);
    PageData::export_all(&config).expect("page data exports");
    MutationAnswer::export_all(&config).expect("mutation answer exports");
    LiveMenu::export_all(&config).expect("live menu exports");
    Suggestions::export_all(&config).expect("suggestions export");
    let fresh =
        std::fs::read_to_string(folder.join("page-data.ts")).expect("one file holds all types");
    std::fs::remove_dir_all(&folder).expect("the temporary folder goes away");

    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("components/lib/page-data.ts");
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(&kept, &fresh).unwrap();
    }
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(
        kept == fresh,
        "components/lib/page-data.ts is out of date: run `make types`"
    );
}
