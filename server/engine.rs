//! The startup snapshot and the renderer that starts from it.
//!
//! The snapshot is made by a process of its own (`dastarkhan snapshot`), once per bundle and binary, and kept: next to
//! the binary when a release was packed with it, else under the state folder.

use std::{
    ffi::OsStr,
    fs::File,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use ssr::{Bundle, Options, Renderer};

/// Begins what is said of a file that can't be written, also by the process that makes the snapshot.
const WRITING: &str = "writing";

/// Bytes of a fingerprint, in the name of a snapshot as hexadecimal digits.
const FINGERPRINT: usize = 12;
/// The newest snapshots of a folder, which stay: one for this build and two before it, that a rolling restart or the way
/// back may need.
const MOST_SNAPSHOTS: usize = 3;
/// A younger one may be another process's, which has made it and reads it next.
const SURPLUS_AFTER: Duration = Duration::from_hours(1);
/// Begins the ending of one that is being written; the process follows, whose number another container may have too.
const PART: &str = "part";
/// Writing one takes no more than seconds: what is older was cut off by a kill.
const CUT_OFF_AFTER: Duration = Duration::from_mins(10);

/// What the settings say of the isolates.
pub struct Limits {
    /// How many render at the same time; 0 for one less than the cores.
    pub isolates: usize,
    /// Whether each renders every page once before it serves.
    pub warm: bool,
    /// Computing time of one render; zero when nothing is to be rendered here.
    pub computing: Duration,
    /// How long a render may wait for an isolate.
    pub waiting: Duration,
}

/// Starts the isolates from the snapshot of `script`, which is made first when it is missing or foreign.
///
/// # Errors
/// When no snapshot can be made or no isolate starts from it.
pub fn start(
    script: &str,
    web_dir: Option<&Path>,
    state: &Path,
    limits: &Limits,
) -> Result<Renderer> {
    let mut options = Options {
        max_wait: limits.waiting,
        warm: limits.warm,
        ..Options::default()
    };
    if limits.isolates > 0 {
        options.isolates = limits.isolates;
    }
    if !limits.computing.is_zero() {
        options.cpu_limit = limits.computing;
        options.wall_limit = options.wall_limit.max(limits.computing);
    }
    Renderer::start(snapshot(script, web_dir, state)?, options)
        .context("the render engine does not start")
}

/// The snapshot of a bundle, from its file or made anew.
///
/// # Errors
/// When the process that makes it fails or its file can't be read.
pub fn snapshot(script: &str, web_dir: Option<&Path>, state: &Path) -> Result<Bundle> {
    let name = format!("{}.snapshot", fingerprint(script)?);
    let beside = std::env::current_exe()?
        .parent()
        .map(|folder| folder.join(&name));
    let snapshots = state.join("snapshots");
    forget_cut_off(&snapshots);
    let snapshot = snapshots.join(&name);
    for path in beside.into_iter().chain([snapshot.clone()]) {
        // A snapshot of another build is passed over.
        if let Ok(bytes) = std::fs::read(&path)
            && let Ok(bundle) = Bundle::new(bytes)
        {
            touch(&path);
            return Ok(bundle);
        }
    }
    make(web_dir, &snapshot)?;
    let bytes =
        std::fs::read(&snapshot).with_context(|| format!("reading {}", snapshot.display()))?;
    Ok(Bundle::new(bytes)?)
}

/// Makes a snapshot in this process and writes it, next to the binary unless told otherwise; the `snapshot` command.
///
/// # Errors
/// When the bundle can't become a snapshot, with the reason, or the file can't be written.
pub fn write_snapshot(script: &str, out: Option<&Path>) -> Result<()> {
    let beside =
        std::env::current_exe()?.with_file_name(format!("{}.snapshot", fingerprint(script)?));
    let out = out.unwrap_or(&beside);
    let bytes = ssr::make_snapshot(script, &[]).context("the bundle can't become a snapshot")?;
    // Written beside and renamed, so that no server ever reads half a snapshot.
    let part = out.with_extension(format!("{PART}{}", std::process::id()));
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{WRITING} {}", folder.display()))?;
    }
    let written = std::fs::write(&part, bytes);
    if written.is_err() {
        // Half a file would take room that is short already.
        let _ = std::fs::remove_file(&part);
    }
    written.with_context(|| format!("{WRITING} {}", part.display()))?;
    std::fs::rename(&part, out).with_context(|| format!("{WRITING} {}", out.display()))?;
    if let Some(folder) = out.parent() {
        forget_old(folder);
        forget_cut_off(folder);
    }
    Ok(())
}

/// Marks it as in use. Where it belongs to another user it stays as old as it is, and is made anew when it is missed.
#[expect(
    clippy::disallowed_methods,
    reason = "files are as old as the system's time says, which no test sets"
)]
fn touch(snapshot: &Path) {
    let now = SystemTime::now();
    let _ = File::open(snapshot).and_then(|file| file.set_modified(now));
}

/// Removes the snapshots that were not used for the longest time: each is some megabytes, and fits one build alone. One
/// that can't be removed is no reason to stop.
fn forget_old(folder: &Path) {
    let mut snapshots: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| is_snapshot(&entry.file_name()))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    snapshots.sort();
    let surplus = snapshots.len().saturating_sub(MOST_SNAPSHOTS);
    for (used, path) in snapshots.into_iter().take(surplus) {
        if used.elapsed().is_ok_and(|age| age > SURPLUS_AFTER) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes what killed processes have left of snapshots: some megabytes each.
fn forget_cut_off(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|file| file.modified());
        if is_part(&entry.file_name())
            && written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > CUT_OFF_AFTER))
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// By its name, as the folder may hold anything else.
fn is_snapshot(name: &OsStr) -> bool {
    ending(name) == Some("snapshot")
}

fn is_part(name: &OsStr) -> bool {
    let process = ending(name).and_then(|ending| ending.strip_prefix(PART));
    process.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What follows a fingerprint.
fn ending(name: &OsStr) -> Option<&str> {
    let (fingerprint, ending) = name.to_str()?.split_once('.')?;
    let is_one = fingerprint.len() == 2 * FINGERPRINT
        && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some(ending)
}

fn make(web_dir: Option<&Path>, out: &PathBuf) -> Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("snapshot").arg("--out").arg(out);
    if let Some(folder) = web_dir {
        command.arg("--web-dir").arg(folder);
    }
    let done = command.output().context("starting the snapshot step")?;
    if !done.status.success() {
        let stderr = String::from_utf8_lossy(&done.stderr);
        let stderr = stderr.trim();
        if stderr.contains(WRITING) {
            let state = out.ancestors().nth(2).unwrap_or(out);
            bail!(
                "STATE_DIR: {}: V8's snapshot can't be kept there: {stderr}",
                state.display()
            );
        }
        bail!("the snapshot step failed: {stderr}");
    }
    Ok(())
}

/// Bundle and binary: a snapshot fits no other V8, ops or bundle (engine.md, trap 7).
fn fingerprint(script: &str) -> Result<String> {
    let binary = std::fs::metadata(std::env::current_exe()?)?;
    let modified = binary
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(script.as_bytes());
    hash.update(binary.len().to_le_bytes());
    hash.update(modified.as_nanos().to_le_bytes());
    Ok(hash
        .finalize()
        .iter()
        .take(FINGERPRINT)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
