//! Bundles the front end with esbuild and embeds the result.
//!
//! `components/build/build.mjs` writes the browser bundle, the server bundle and the manifest into `OUT_DIR/web`;
//! this script turns them into `embedded.rs`, a table of `include_bytes!`, so that the binary is all that is deployed.
//! It is the build script of the crate in `components`, and runs in the top folder.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    env::set_current_dir("..").context("the top folder")?;
    for input in [
        "components",
        "assets",
        // The begin of documents, which is packed with the bundle.
        "server/templates/opening.html",
        "package-lock.json",
        "Cargo.lock",
        "build.rs",
    ] {
        println!("cargo::rerun-if-changed=../{input}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").context("OUT_DIR is set by cargo")?);
    let web = out.join("web");
    if !Path::new("node_modules").is_dir() {
        bail!("node_modules is missing: run `make setup`, or `npm ci --ignore-scripts`");
    }
    if web.exists() {
        fs::remove_dir_all(&web).context("clearing the old bundle")?;
    }
    // Where the machine's own is too old, tests/setup/node.sh has brought another.
    let brought = Path::new("target/node/bin/node");
    let node = if brought.is_file() {
        brought
    } else {
        Path::new("node")
    };
    let status = Command::new(node)
        .args(["components/build/build.mjs", "--out"])
        .arg(&web)
        .status()
        .context("node can't be started: install Node.js 22 or newer")?;
    if !status.success() {
        bail!("bundling failed; esbuild's message stands above");
    }

    let public = web.join("public");
    let mut files = Vec::new();
    collect(&public, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file
            .strip_prefix(&public)?
            .to_str()
            .context("file names are UTF-8")?;
        if name.ends_with(".br") || name.ends_with(".gz") {
            continue;
        }
        let variant = |ending: &str| {
            let packed = PathBuf::from(format!("{}.{ending}", file.display()));
            if packed.is_file() {
                format!("Some(include_bytes!({packed:?}))")
            } else {
                "None".to_owned()
            }
        };
        writeln!(
            table,
            "    File {{ name: {name:?}, plain: include_bytes!({file:?}), br: {}, gz: {} }},",
            variant("br"),
            variant("gz")
        )?;
    }
    table.push(']');
    fs::write(out.join("embedded.rs"), table)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
