//! Names of the upstream stay at its boundary: inside, a venue has one word.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};

use super::sources;

/// The upstream's words for a venue; addresses, forms and what is stored have them in text.
const UPSTREAM_WORDS: [&str; 2] = ["filial", "terminal"];

/// The names of a source that have one of those words. Comments and texts are no names.
fn foreign(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
    while let Some(token) = waiting.pop() {
        match token {
            TokenTree::Group(group) => waiting.extend(group.stream()),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let lower = name.to_lowercase();
                if UPSTREAM_WORDS.iter().any(|word| lower.contains(word)) {
                    found.insert(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

#[test]
fn words_of_the_upstream_stand_at_its_boundary_alone() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("server");
    let mut found = Vec::new();
    sources(&server, &mut found);
    let inside = |path: &&PathBuf| !path.starts_with(server.join("upstream"));
    let wrong: Vec<String> = found
        .iter()
        .filter(inside)
        .filter_map(|path| {
            let names = foreign(&fs::read_to_string(path).unwrap());
            (!names.is_empty()).then(|| format!("{}: {names:?}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_word_of_the_upstream_is_found_in_names_alone() {
    let fine = r##"
        //! Led by `/filials/{filial_id}`.
        /* filial */
        fn of<'filter>(it: &'filter str) -> char { it.get("\"filial"); 'f' }
        #[serde(rename = "filial")]
        pub venue: VenueId, r#"main "terminal""#, b"filial", '"', b'"',
    "##;
    assert_eq!(foreign(fine), BTreeSet::new());
    let bad = r#"let FilialId(main_terminal_id) = "x"; 'a' // filial"#;
    let names = ["FilialId", "main_terminal_id"].map(str::to_owned);
    assert_eq!(foreign(bad), BTreeSet::from(names));
}
