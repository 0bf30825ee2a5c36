//! A copy of a state folder for another day: the database and the secrets, which are worth nothing without each other.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, lchown},
    path::{Path, PathBuf},
};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use zeroize::Zeroizing;

use super::sessions::PURPOSE;
use super::{
    Error, db,
    files::{FILE, expect_own_folder, private_database, private_folder},
    owner::Presence,
};
use crate::keys::seal::{FILE as SECRETS, Keys};

/// The files of a state. What was written last comes before its database, which alone would open as an older one if
/// nothing more were moved.
const PARTS: [(&str, &str); 4] = [
    (FILE, "-wal"),
    (FILE, "-journal"),
    (FILE, ""),
    (SECRETS, ""),
];

/// What was copied.
#[derive(Debug)]
pub struct Copied {
    /// Whether the secrets are among it: not where `SECRET_KEYS` holds them.
    pub with_secrets: bool,
    /// The names under which what was there before stays in the folder.
    pub before: Vec<String>,
}

/// Copies the state of `from` into the folder `to`, also beside a server that runs: all that was written by then, in
/// one file. A backup that is there is replaced when the new one is whole.
///
/// # Errors
/// When one can't be read, the other not be written, or the copy is damaged.
pub fn backup(from: &Path, to: &Path) -> Result<Copied, Error> {
    let source = from.join(FILE);
    if !source.exists() {
        return Err(at(
            &source,
            "there is none: STATE_DIR names the folder of the server",
        ));
    }
    let database = open_to_read(&source)?;
    apart(from, to)?;
    if to.exists() && Presence::exclusive(to).is_none() {
        return Err(at(to, "a server runs on it: name another folder"));
    }
    let is_new = !to.exists();
    private_folder(to).map_err(|error| at(to, error))?;
    let temporary = to.join("state.sqlite.new");
    remove(&temporary)?;
    private_database(&temporary).map_err(|error| at(&temporary, error))?;
    database
        .execute("VACUUM INTO ?", [temporary.to_string_lossy()])
        .map_err(|error| {
            let _ = remove(&temporary);
            let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
            at(if is_full { to } else { &source }, error)
        })?;
    verify(&temporary)?;
    put(&temporary, &to.join(FILE))?;
    let with_secrets = put_secrets(copied_secrets(from, to)?, to)?;
    hand_over(from, to, is_new)?;
    Ok(Copied {
        with_secrets,
        before: Vec::new(),
    })
}

/// A restore by root gives the files to the owner of the state folder.
fn hand_over(from: &Path, to: &Path, is_new: bool) -> Result<(), Error> {
    let owner = fs::metadata(from).map_err(|error| at(from, error))?;
    if owner.uid() == 0 {
        return Ok(());
    }
    let folder = is_new.then(|| to.to_owned());
    for created in [to.join(FILE), to.join(SECRETS)].into_iter().chain(folder) {
        if fs::symlink_metadata(&created).is_ok_and(|found| found.uid() == 0) {
            lchown(&created, Some(owner.uid()), Some(owner.gid()))
                .map_err(|error| at(&created, error))?;
        }
    }
    Ok(())
}

/// Puts the backup in the folder `from` in the place of the state of `to`, which no server may hold. What was there stays
/// beside it, as `state.sqlite.before` and `secret.keys.before`, or with a number where these are taken.
///
/// # Errors
/// When a server runs there, the folder is another user's and this is root, the backup is damaged, of another or a newer program, or not of the secrets beside it, or a file can't be written.
pub fn restore(from: &Path, to: &Path) -> Result<Copied, Error> {
    let source = from.join(FILE);
    expect_own_folder(to).map_err(|error| at(to, error))?;
    apart(from, to)?;
    let checked = verify(&source)
        .and_then(|database| expect_secrets_of(&database, &source, &from.join(SECRETS)));
    checked.map_err(|error| match error {
        Error::Open(reason) => Error::Open(format!("no backup that can be used: {reason}")),
        other => other,
    })?;
    private_folder(to).map_err(|error| at(to, error))?;
    // Held to the end: no server starts on half of a state.
    let Some(_lock) = Presence::exclusive(to) else {
        return Err(at(to, "a server runs on it: stop it first"));
    };
    let temporary = to.join("state.sqlite.new");
    copy(&source, &temporary)?;
    // Both copies are whole before anything that is there is touched.
    let secrets = copied_secrets(from, to).inspect_err(|_| {
        let _ = remove(&temporary);
    })?;
    // The secrets stay where the backup has none: those of then are set in `SECRET_KEYS`.
    let new: Vec<PathBuf> = secrets.iter().chain([&temporary]).cloned().collect();
    let forget = |_: &Error| {
        for created in &new {
            let _ = remove(created);
        }
    };
    let moved = keep(to, secrets.is_some()).inspect_err(forget)?;
    let put_all = || {
        // An index of what was written last, which SQLite makes anew.
        remove(&to.join(format!("{FILE}-shm")))?;
        put(&temporary, &to.join(FILE))?;
        put_secrets(secrets, to)
    };
    let with_secrets = put_all()
        .inspect_err(|_| put_back(to, &moved))
        .inspect_err(forget)?;
    Ok(Copied {
        with_secrets,
        before: moved.into_iter().map(|(_, name)| name).collect(),
    })
}

/// Where a file was, and its name now.
type MovedFile = (PathBuf, String);

/// Undoes [`keep`]: a folder without its state would begin an empty one.
fn put_back(to: &Path, moved: &[MovedFile]) {
    for (path, name) in moved.iter().rev() {
        if let Err(error) = fs::rename(to.join(name), path) {
            tracing::error!(%error, "{name} could not be put back: it belongs where {} was", path.display());
        }
    }
}

/// Puts what is there out of the way, so that whoever has taken the wrong backup can go back, and answers the new names.
/// After a kill or a power loss the latest writes are in the database's log alone, and it would be played into the new
/// file: it goes along, under the name by which SQLite finds it.
fn keep(to: &Path, with_secrets: bool) -> Result<Vec<MovedFile>, Error> {
    let ending = free_ending(to)?;
    let mut moved: Vec<MovedFile> = Vec::new();
    for (file, suffix) in PARTS {
        if file == SECRETS && !with_secrets {
            continue;
        }
        let path = to.join(format!("{file}{suffix}"));
        let name = format!("{file}{ending}{suffix}");
        match fs::rename(&path, to.join(&name)) {
            Ok(()) => moved.push((path, name)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                // The database without its log would be an older state that looks whole.
                put_back(to, &moved);
                return Err(at(path, error));
            }
        }
    }
    Ok(moved)
}

/// One that all files can have: what an earlier restore has kept may be the only good state.
fn free_ending(folder: &Path) -> Result<String, Error> {
    let is_taken = |ending: &str| {
        PARTS.iter().any(|(file, suffix)| {
            fs::symlink_metadata(folder.join(format!("{file}{ending}{suffix}"))).is_ok()
        })
    };
    std::iter::once(".before".to_owned())
        .chain((2..=u32::MAX).map(|number| format!(".before.{number}")))
        .find(|ending| !is_taken(ending))
        .ok_or_else(|| at(folder, "no name is free for what is there"))
}

/// The secrets of a backup, if they are with it, have to open its sessions.
fn expect_secrets_of(database: &Connection, path: &Path, secrets: &Path) -> Result<(), Error> {
    let text = match fs::read_to_string(secrets) {
        Ok(text) => Zeroizing::new(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(at(secrets, error)),
    };
    let keys = Keys::from_hex(&text).map_err(|error| at(secrets, error))?;
    let sessions = || -> rusqlite::Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let mut rows =
            database.prepare("SELECT id, data FROM sessions ORDER BY touched_at DESC LIMIT 100")?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    };
    let sessions = sessions().map_err(|error| at(path, error))?;
    let opened = sessions
        .iter()
        .any(|(id, data)| keys.open(PURPOSE, id, data).is_some());
    if opened || sessions.is_empty() {
        return Ok(());
    }
    Err(at(
        secrets,
        "its secrets have not sealed the sessions beside it",
    ))
}

/// Refuses to copy a file over itself, also by a link: that would take it from the process that has it open.
fn apart(from: &Path, to: &Path) -> Result<(), Error> {
    let same = |one: &Path, other: &Path| match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    };
    if same(from, to) || same(&from.join(FILE), &to.join(FILE)) {
        return Err(at(
            to,
            "the state itself lies there: name another folder for the backup",
        ));
    }
    Ok(())
}

/// As another program's: SQLite would make one that is missing.
fn open_to_read(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|error| at(path, error))
}

/// The database, when it is whole, ours, and not of a newer program.
fn verify(path: &Path) -> Result<Connection, Error> {
    let database = open_to_read(path)?;
    let report: String = database
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(|error| at(path, error))?;
    if report != "ok" {
        return Err(at(path, report));
    }
    db::known(&database, path)?;
    // Also where the copy was cut off to nothing, which is a whole database to SQLite.
    if db::is_ours(&database).map_err(|error| at(path, error))? {
        Ok(database)
    } else {
        Err(at(path, "it holds no state of a server"))
    }
}

/// A copy of the secrets that is not in its place yet, if there are any.
fn copied_secrets(from: &Path, to: &Path) -> Result<Option<PathBuf>, Error> {
    let source = from.join(SECRETS);
    if !source.exists() {
        return Ok(None);
    }
    let temporary = to.join("secret.keys.new");
    copy(&source, &temporary)?;
    Ok(Some(temporary))
}

/// Whether there are any.
fn put_secrets(temporary: Option<PathBuf>, to: &Path) -> Result<bool, Error> {
    match temporary {
        Some(temporary) => put(&temporary, &to.join(SECRETS)).map(|()| true),
        None => Ok(false),
    }
}

/// For its user alone from the first byte. Half a copy is not left: it would take room that is short already.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    remove(to)?;
    let is_full = |error: &io::Error| {
        [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded].contains(&error.kind())
    };
    let full = |error: io::Error| {
        at(
            to.parent().unwrap_or(to),
            format!("{error}: make room there"),
        )
    };
    let mut source = fs::File::open(from).map_err(|error| at(from, error))?;
    let mut target = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .map_err(|error| match is_full(&error) {
            true => full(error),
            false => at(to, error),
        })?;
    io::copy(&mut source, &mut target)
        .and_then(|_| target.sync_all())
        .map_err(|error| {
            let _ = remove(to);
            match is_full(&error) {
                true => full(error),
                false => at(
                    from,
                    format!("it can't be copied to {}: {error}", to.display()),
                ),
            }
        })
}

fn put(temporary: &Path, place: &Path) -> Result<(), Error> {
    fs::set_permissions(temporary, fs::Permissions::from_mode(0o600))
        .and_then(|()| fs::File::open(temporary)?.sync_all())
        .and_then(|()| fs::rename(temporary, place))
        .map_err(|error| at(place, error))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn at(path: impl Into<PathBuf>, error: impl std::fmt::Display) -> Error {
    Error::Open(format!("{}: {error}", path.into().display()))
}
