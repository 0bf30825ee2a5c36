//! Features know each other one way: none is known by what it knows itself. There is no list of them to keep: any order
//! that has no way back will do.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::{at_root, behind, code, line, own, room, sources, split};

/// The rooms of a folder, what each imports of the others, and where.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

const FOLDER: &str = "features";

/// The rooms beside its own that a file of the folder names, with their lines.
fn neighbours<'a>(file: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let code = code(text);
    let of_crate = at_root(&format!("{FOLDER}/{file}"), code)
        .into_iter()
        .flat_map(|start| split(code, start))
        .filter(|(_, path)| room(path) == FOLDER)
        .flat_map(|(start, path)| {
            let inner = behind(path).into_iter();
            inner.map(move |(at, path)| (start + at, path))
        });
    // `super::` leads to the folder, too.
    let up = at_root(file, code)
        .into_iter()
        .filter(|start| !code[..*start].ends_with("crate::"))
        .flat_map(|start| split(code, start));
    of_crate
        .chain(up)
        .map(|(at, path)| (line(code, at), room(path)))
        .filter(|(_, room)| *room != own(file) && *room != "lib")
        .collect()
}

fn note(imports: &mut Imports, file: &str, text: &str) {
    let rooms = imports.entry(own(file).to_owned()).or_default();
    for (line, room) in neighbours(file, text) {
        rooms
            .entry(room.to_owned())
            .or_insert_with(|| format!("{file}:{line} imports {room}"));
    }
}

/// The imports of one way that leads from a room back to it.
fn circle(imports: &Imports, start: &str) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![(start, Vec::new())];
    while let Some((at, way)) = ways.pop() {
        for (room, import) in imports.get(at).into_iter().flatten() {
            let mut further = way.clone();
            further.push(import.clone());
            if room == start {
                return Some(further);
            }
            if seen.insert(room) {
                ways.push((room, further));
            }
        }
    }
    None
}

#[test]
fn features_know_each_other_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("server")
        .join(FOLDER);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut imports = Imports::new();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if file != "mod.rs" {
            note(&mut imports, file, &fs::read_to_string(&path).unwrap());
        }
    }
    assert!(imports.len() > 40, "{} rooms", imports.len());
    let all: usize = imports.values().map(BTreeMap::len).sum();
    assert!(all > 150, "{all} imports");
    let circles: Vec<_> = imports
        .keys()
        .filter_map(|room| circle(&imports, room))
        .collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_circle_is_named_with_its_lines() {
    let mut imports = Imports::new();
    let cart = "use super::view;\nuse crate::{\n    features::{\n        age,\n        menu::{PAGE, load},\n    },\n    web::visit::Visit,\n};";
    note(&mut imports, "cart/load.rs", cart);
    assert_eq!(circle(&imports, "cart"), None);
    note(&mut imports, "menu/table.rs", "\nuse super::super::shell;");
    note(
        &mut imports,
        "shell.rs",
        "fn of(x: crate::features::cart::Cart) {}",
    );
    let around = [
        "cart/load.rs:5 imports menu",
        "menu/table.rs:2 imports shell",
        "shell.rs:1 imports cart",
    ];
    assert_eq!(circle(&imports, "cart").unwrap(), around);
    assert!(circle(&imports, "shell").is_some());
    assert_eq!(circle(&imports, "age"), None);
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::cart;\n}";
    assert!(neighbours("age.rs", tests).is_empty());
}
