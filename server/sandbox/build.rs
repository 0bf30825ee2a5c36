//! Takes the emoji that the seed data names out of the npm package and embeds them in the crate,
//! so that the built program draws its pictures without `node_modules`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

use serde_json::Value;

const PACKAGE: &str = "node_modules/@lobehub/fluent-emoji-3d/assets";

fn main() {
    if let Err(reason) = run() {
        eprintln!("sandbox: {reason}");
        process::exit(1);
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "Cargo speaks to build scripts through the environment"
)]
fn run() -> Result<(), String> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let assets = here.join("../..").join(PACKAGE);
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=seed");
    println!("cargo:rerun-if-changed={}", assets.display());

    let mut codes = BTreeSet::new();
    collect(&here.join("seed"), &mut codes)?;
    let mut source = String::from("pub(super) static EMOJI: &[(&str, &[u8])] = &[\n");
    for code in &codes {
        let path = assets.join(format!("{code}.webp"));
        if !path.is_file() {
            return Err(format!(
                "{PACKAGE}/{code}.webp is missing: the pictures of the sandbox are made from that npm package. \
                 Run `npm ci` in the repository first."
            ));
        }
        let path = path.canonicalize().map_err(|error| error.to_string())?;
        writeln!(source, "    ({code:?}, include_bytes!({path:?})),")
            .map_err(|error| error.to_string())?;
    }
    source.push_str("];\n");
    fs::write(out.join("emoji.rs"), source).map_err(|error| error.to_string())
}

/// Every `"e"` of every JSON file below the folder.
fn collect(folder: &Path, codes: &mut BTreeSet<String>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, codes)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let value = serde_json::from_str(&text)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            named(&value, codes);
        }
    }
    Ok(())
}

fn named(value: &Value, codes: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(code)) = members.get("e") {
                codes.insert(code.clone());
            }
            members.values().for_each(|member| named(member, codes));
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, codes)),
        _ => {}
    }
}
