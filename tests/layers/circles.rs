//! The rooms of a folder know each other one way: none is known by what it knows itself. There is no list of them to
//! keep: any order that has no way back will do.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::{at_root, behind, code, line, own, room, sources, split};

/// The rooms of a folder, what each imports of the others, and where.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// Crates, by where their sources begin.
const CRATES: [&str; 3] = ["server", "server/sandbox/src", "ssr"];

/// The rooms beside its own that a file of a folder names, with their lines. `file` is its path in the folder.
fn neighbours<'a>(folder: &str, file: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let code = code(text);
    let mut of_crate: Vec<(usize, &str)> = at_root(&format!("{folder}/{file}"), code)
        .into_iter()
        .flat_map(|start| split(code, start))
        .collect();
    for name in folder.split('/') {
        let inside = of_crate.iter().filter(|(_, path)| room(path) == name);
        of_crate = inside
            .flat_map(|(start, path)| {
                let inner = behind(path).into_iter();
                inner.map(move |(at, path)| (start + at, path))
            })
            .collect();
    }
    // `super::` leads to the folder, too.
    let up = at_root(file, code)
        .into_iter()
        .filter(|start| !code[..*start].ends_with("crate::"))
        .flat_map(|start| split(code, start));
    of_crate
        .into_iter()
        .chain(up)
        .map(|(at, path)| (line(code, at), room(path)))
        .filter(|(_, room)| *room != own(file) && *room != "lib")
        .collect()
}

fn note(imports: &mut Imports, folder: &str, file: &str, text: &str) {
    let rooms = imports.entry(own(file).to_owned()).or_default();
    for (line, room) in neighbours(folder, file, text) {
        rooms
            .entry(room.to_owned())
            .or_insert_with(|| format!("{folder}/{file}:{line} imports {room}"));
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

/// The folders of a crate that hold several rooms, below its root: that one's order is said by its layers.
fn folders(files: &[String]) -> BTreeSet<&str> {
    let above = files.iter().flat_map(|file| {
        file.match_indices('/')
            .map(|(end, _)| &file[..end])
            .collect::<Vec<_>>()
    });
    above.collect()
}

#[test]
fn rooms_of_a_folder_know_each_other_one_way() {
    let (mut circles, mut rooms, mut all) = (Vec::new(), 0, 0);
    for start in CRATES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(start);
        let mut paths = Vec::new();
        sources(&root, &mut paths);
        let files: Vec<String> = paths
            .iter()
            .map(|path| {
                path.strip_prefix(&root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        for folder in folders(&files) {
            let mut imports = Imports::new();
            for (path, file) in paths.iter().zip(&files) {
                let inside = file.strip_prefix(folder);
                if let Some(inside) = inside.and_then(|rest| rest.strip_prefix('/'))
                    && inside != "mod.rs"
                {
                    note(
                        &mut imports,
                        folder,
                        inside,
                        &fs::read_to_string(path).unwrap(),
                    );
                }
            }
            rooms += imports.len();
            all += imports.values().map(BTreeMap::len).sum::<usize>();
            circles.extend(imports.keys().filter_map(|room| circle(&imports, room)));
        }
    }
    assert!(rooms > 300, "{rooms} rooms");
    assert!(all > 500, "{all} imports");
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_circle_is_named_with_its_lines() {
    let mut imports = Imports::new();
    let cart = "use super::view;\nuse crate::{\n    features::{\n        age,\n        menu::{PAGE, load},\n    },\n    web::visit::Visit,\n};";
    note(&mut imports, "features", "cart/load.rs", cart);
    assert_eq!(circle(&imports, "cart"), None);
    note(
        &mut imports,
        "features",
        "menu/table.rs",
        "\nuse super::super::shell;",
    );
    note(
        &mut imports,
        "features",
        "shell.rs",
        "fn of(x: crate::features::cart::Cart) {}",
    );
    let around = [
        "features/cart/load.rs:5 imports menu",
        "features/menu/table.rs:2 imports shell",
        "features/shell.rs:1 imports cart",
    ];
    assert_eq!(circle(&imports, "cart").unwrap(), around);
    assert!(circle(&imports, "shell").is_some());
    assert_eq!(circle(&imports, "age"), None);
    let bill = "use crate::{\n    features::{\n        cart,\n        bills::{pay, tab::Tab},\n    },\n};\nuse super::super::way;";
    let found = neighbours("features/bills", "act/choose.rs", bill);
    assert_eq!(found, [(4, "pay"), (4, "tab"), (7, "way")]);
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::cart;\n}";
    assert!(neighbours("features", "age.rs", tests).is_empty());
}
