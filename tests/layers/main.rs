//! Imports of the server go one way: `routes → pages → features → web → state, upstream → keys → values`. This reads
//! them out of the sources and names what goes back.
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
