//! Imports of the server go one way: `routes → pages → features → web → state, upstream → keys → values`. This reads
//! them out of the sources and names what goes back. Names of the upstream stay at its boundary: inside, a venue has one word.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(missing_docs, reason = "tests")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The rooms from the top down; those of one line do not know each other.
const LAYERS: [&[&str]; 12] = [
    &["main", "lib"],
    &["check", "generated"],
    &["service"],
    &["routes", "admin", "dev", "stop"],
    &["server"],
    &["pages"],
    &["features"],
    &["error"],
    &["web"],
    &["state", "upstream", "config"],
    &["keys"],
    &[
        "values",
        "rush_hours",
        "telemetry",
        "engine",
        "descriptors",
        "memory",
    ],
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("sandbox") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a file names by `crate::…`, tests in it aside.
fn named(text: &str) -> BTreeSet<String> {
    let code = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut name) = (0, String::new());
            for letter in group.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => rooms.extend(room(&std::mem::take(&mut name))),
                    _ if depth == 0 => name.push(letter),
                    _ => {}
                }
            }
            rooms.extend(room(&name));
        } else {
            rooms.extend(room(rest));
        }
    }
    rooms
}

fn room(path: &str) -> Option<String> {
    let name: String = path
        .trim_start()
        .chars()
        .take_while(|letter| letter.is_ascii_lowercase() || *letter == '_')
        .collect();
    (!name.is_empty()).then_some(name)
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

/// What is wrong with the imports of one file.
fn wrong(file: &str, text: &str) -> Vec<String> {
    let own = file.split('/').next().unwrap_or_default();
    let own = own.strip_suffix(".rs").unwrap_or(own);
    let mut wrong = Vec::new();
    for other in named(text) {
        let is_allowed = match (layer(own), layer(&other)) {
            _ if own == other => true,
            (Some(from), Some(to)) => from < to,
            _ => false,
        };
        if !is_allowed {
            wrong.push(format!("{file} imports {other}"));
        }
    }
    wrong
}

#[test]
fn imports_of_the_server_go_one_way() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("server");
    let mut files = Vec::new();
    sources(&server, &mut files);
    assert!(files.len() > 100, "{} files", files.len());
    let mut all = Vec::new();
    for path in files {
        let file = path.strip_prefix(&server).unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        all.extend(wrong(file, &text));
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn an_import_that_goes_back_is_named() {
    let text = "use crate::{\n    features::cart,\n    web::{form::Form, visit::Visit},\n};";
    assert_eq!(
        wrong("state/db.rs", text),
        ["state/db.rs imports features", "state/db.rs imports web"]
    );
    assert_eq!(
        wrong("upstream/menu.rs", "fn a(x: crate::state::State) {}"),
        ["upstream/menu.rs imports state"]
    );
    assert_eq!(
        wrong("web/app.rs", "use crate::{error::Error, server::Server};"),
        ["web/app.rs imports error", "web/app.rs imports server"]
    );
    assert!(wrong("pages/mod.rs", text).is_empty());
}

/// The upstream's words for a venue; addresses, forms and what is stored have them in text.
const UPSTREAM_WORDS: [&str; 2] = ["filial", "terminal"];

/// The code of a source without its comments and texts.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = comment(rest)
            .or_else(|| raw_text(rest))
            .or_else(|| quoted(rest));
        // A name that ends in `r` or `b` begins no text.
        if length.is_none() && (letter.is_alphanumeric() || letter == '_') {
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(rest.len());
            code.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        code.push(if length.is_some() { ' ' } else { letter });
        rest = &rest[length.unwrap_or(letter.len_utf8())..];
    }
    code
}

fn comment(text: &str) -> Option<usize> {
    let end = |found: Option<usize>| found.unwrap_or(text.len());
    match text.get(..2)? {
        "//" => Some(end(text.find('\n'))),
        "/*" => Some(end(text.find("*/").map(|at| at + 2))),
        _ => None,
    }
}

fn raw_text(text: &str) -> Option<usize> {
    let begun = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let marks = begun.len() - begun.trim_start_matches('#').len();
    let inner = begun[marks..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    let length = inner.find(&end).map_or(inner.len(), |at| at + end.len());
    Some(text.len() - inner.len() + length)
}

/// A text, or a single letter; the name of a lifetime is neither.
fn quoted(text: &str) -> Option<usize> {
    let begun = text.strip_prefix('b').unwrap_or(text);
    let quote = begun
        .chars()
        .next()
        .filter(|letter| "\"'".contains(*letter))?;
    let inner = &begun[1..];
    if quote == '\''
        && !inner.starts_with('\\')
        && !inner.chars().nth(1).is_some_and(|end| end == quote)
    {
        return None;
    }
    let mut escaped = false;
    let end = inner.char_indices().find_map(|(at, letter)| {
        let is_end = letter == quote && !escaped;
        escaped = letter == '\\' && !escaped;
        is_end.then_some(at + 1)
    });
    Some(text.len() - inner.len() + end.unwrap_or(inner.len()))
}

/// The names of a source that have a word of the upstream for what is a venue.
fn foreign(text: &str) -> BTreeSet<String> {
    code(text)
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|name| {
            let name = name.to_lowercase();
            UPSTREAM_WORDS.iter().any(|word| name.contains(word))
        })
        .map(str::to_owned)
        .collect()
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
