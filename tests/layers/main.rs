//! Imports go one way, in the server (`routes → pages → features → web → state, upstream → keys → values`) and in the
//! sandbox (`api, controls → bank → bills, reviews → orders → accounts, payments → …`). This reads them out of the
//! sources and names the line that goes back. What the rooms call things is in `words.rs`.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(missing_docs, reason = "tests")]

mod circles;
mod words;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The rooms of a crate from the top down; those of one line do not know each other.
type Layers = &'static [&'static [&'static str]];

const SERVER: Layers = &[
    &["main", "lib", "base"],
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

/// What is over ends before anyone is known to be signed in, and `bank` alone knows how: `lib` gives that to `app`.
const SANDBOX: Layers = &[
    &["lib"],
    &["server"],
    &["gate", "controls", "api"],
    &["bank"],
    &["bills", "reviews"],
    &["orders"],
    &["accounts", "payments"],
    &["answer"],
    &["caller", "openapi"],
    &["app", "delivery", "pictures"],
    &[
        "body",
        "catalogue",
        "hours",
        "journal",
        "markup",
        "overrides",
        "params",
        "seed",
        "store",
    ],
    &["index"],
    &[
        "clock", "drawing", "faults", "fold", "geo", "ids", "model", "money", "refusal",
    ],
];

/// The sources of a crate; crates in folders of it are others.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.join("Cargo.toml").exists() {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Where a path begins below the root of the crate: behind `crate::`, or behind as many `super::` as lead there.
fn at_root(file: &str, code: &str) -> Vec<usize> {
    let module = file.strip_suffix(".rs").unwrap_or(file);
    let module = module.strip_suffix("/mod").unwrap_or(module);
    let up = "super::".repeat(module.split('/').count());
    let mut found = Vec::new();
    for root in ["crate::", &up] {
        let starts = code.match_indices(root).filter(|(at, _)| {
            let before = &code[..*at];
            // `other_crate::`, or the middle of a longer way up.
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && !before.ends_with("super::")
        });
        found.extend(starts.map(|(at, _)| at + root.len()));
    }
    found.sort_unstable();
    found
}

/// The path that begins here, with all that it has in braces.
fn path(code: &str) -> &str {
    let mut depth = 0;
    let end = code.find(|c: char| {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0 && !(c.is_alphanumeric() || matches!(c, '_' | ':' | '*'))
    });
    &code[..end.unwrap_or(code.len())]
}

/// What is behind a path's first name, apart where it is a group: `a::{b, c::d}` is `b` and `c::d`.
fn behind(path: &str) -> Vec<(usize, &str)> {
    let Some(at) = path.find("::") else {
        return Vec::new();
    };
    split(path, at + 2)
}

/// The paths of a group that begins here, or the one path.
fn split(code: &str, start: usize) -> Vec<(usize, &str)> {
    let whole = path(&code[start..]);
    let Some(group) = whole.strip_prefix('{') else {
        return vec![(start, whole)];
    };
    let mut found = Vec::new();
    let (mut depth, mut begins) = (0, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !letter.is_whitespace() => {
                found.push((start + 1 + at, path(&group[at..])));
                begins = false;
            }
            _ => {}
        }
    }
    found
}

/// A source without the tests at its end.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
}

fn line(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// The paths below the root that a file names, each with its line; tests at its end aside.
fn named<'a>(file: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let code = code(text);
    at_root(file, code)
        .into_iter()
        .flat_map(|start| split(code, start))
        .map(|(at, path)| (line(code, at), path))
        .collect()
}

/// The room of a path; what is no module belongs to the root itself.
fn room(path: &str) -> &str {
    let name = path.split("::").next().unwrap_or_default();
    if name.starts_with(|c: char| c.is_uppercase()) {
        "lib"
    } else {
        name
    }
}

fn own(file: &str) -> &str {
    let first = file.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}

fn layer(layers: Layers, room: &str) -> Option<usize> {
    layers.iter().position(|rooms| rooms.contains(&room))
}

/// What is wrong with the imports of one file.
fn wrong(layers: Layers, file: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (line, path) in named(file, text) {
        let is_allowed = match (layer(layers, own(file)), layer(layers, room(path))) {
            _ if own(file) == room(path) => true,
            (Some(from), Some(to)) => from < to,
            _ => false,
        };
        if !is_allowed {
            let path: Vec<&str> = path.split_whitespace().collect();
            wrong.push(format!("{file}:{line} imports {}", path.join(" ")));
        }
    }
    wrong
}

/// What goes back in a crate, and rooms that stand in no line or are no longer there.
fn all_wrong(folder: &str, layers: Layers, least: usize) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > least, "{} files", files.len());
    let mut all = Vec::new();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if layer(layers, own(file)).is_none() {
            all.push(format!("{folder}/{file} stands in no line"));
        }
        let text = fs::read_to_string(&path).unwrap();
        let wrong = wrong(layers, file, &text).into_iter();
        all.extend(wrong.map(|line| format!("{folder}/{line}")));
    }
    for room in layers.iter().copied().flatten() {
        if !root.join(room).is_dir() && !root.join(format!("{room}.rs")).exists() {
            all.push(format!("{folder} has no {room}"));
        }
    }
    all
}

#[test]
fn imports_of_the_server_go_one_way() {
    let all = all_wrong("server", SERVER, 100);
    assert!(all.is_empty(), "{all:#?}");
}

/// One layer looks for the page of a request (`web::page::matched`), and `App::page_of` for that of another address.
#[test]
fn the_path_of_a_request_is_looked_for_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("server");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut looking: Vec<_> = files
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let squeezed: String = code(&text).split_whitespace().collect();
            let file = path.strip_prefix(&root).unwrap().display().to_string();
            vec![file; squeezed.matches("pages.find(").count()]
        })
        .collect();
    looking.sort();
    assert_eq!(looking, ["web/app.rs", "web/page.rs"]);
}

#[test]
fn imports_of_the_sandbox_go_one_way() {
    let all = all_wrong("server/sandbox/src", SANDBOX, 80);
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn an_import_that_goes_back_is_named_with_its_line() {
    let text = "//! A room.\nuse crate::{\n    features::cart,\n    web::{\n        form::Form, visit::Visit,\n    },\n};";
    assert_eq!(
        wrong(SERVER, "state/db.rs", text),
        [
            "state/db.rs:3 imports features::cart",
            "state/db.rs:4 imports web::{ form::Form, visit::Visit, }"
        ]
    );
    assert_eq!(
        wrong(
            SERVER,
            "upstream/menu.rs",
            "fn a(x: crate::state::State) {}"
        ),
        ["upstream/menu.rs:1 imports state::State"]
    );
    assert_eq!(
        wrong(
            SERVER,
            "web/app.rs",
            "use crate::{error::Error, server::Server};"
        ),
        [
            "web/app.rs:1 imports error::Error",
            "web/app.rs:1 imports server::Server"
        ]
    );
    assert!(wrong(SERVER, "pages/mod.rs", text).is_empty());
}

#[test]
fn ways_around_are_seen_as_well() {
    // By the parent of the room, from the root, behind the module of the tests.
    assert_eq!(
        wrong(
            SANDBOX,
            "accounts/mod.rs",
            "\nuse super::orders::place;\nuse self::user::User;"
        ),
        ["accounts/mod.rs:2 imports orders::place"]
    );
    assert_eq!(
        wrong(SANDBOX, "seed/menus.rs", "use super::super::pictures;"),
        ["seed/menus.rs:1 imports pictures"]
    );
    assert_eq!(
        wrong(SANDBOX, "store.rs", "use crate::Options;"),
        ["store.rs:1 imports Options"]
    );
    let text = "#[cfg(test)]\nmod tests;\n\nuse crate::{app::App, bank};";
    assert_eq!(
        wrong(SANDBOX, "payments.rs", text),
        ["payments.rs:4 imports bank"]
    );
    let text = "use crate::refusal::Refusal;\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use crate::bank;\n}";
    assert!(wrong(SANDBOX, "payments.rs", text).is_empty());
    // A neighbour within the room, and a crate of another name.
    let text = "use super::user::User;\nuse other_crate::bank;";
    assert!(wrong(SANDBOX, "accounts/grant.rs", text).is_empty());
}
