//! The state is for its user alone: what is sealed in it and what is not.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind},
    os::unix::fs::{
        DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
    },
    path::{Path, PathBuf},
};

use crate::keys::private::{FILE_MODE, FOREIGN, close, is_open};

/// File name of the database inside the state directory.
pub(super) const FILE: &str = "state.sqlite";
const FOLDER_MODE: u32 = 0o700;
/// A folder that many share, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// Makes a state folder for its user alone. A folder that is there is closed to others too when it is empty, or holds a
/// database that others can read, as earlier versions made it; one that is filled with other things stays
/// as it is, and only our files in it are private.
///
/// # Errors
/// When it can't be made.
pub fn private_folder(folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        return DirBuilder::new()
            .recursive(true)
            .mode(FOLDER_MODE)
            .create(folder);
    }
    let mode = fs::metadata(folder)?.permissions().mode();
    let is_empty = fs::read_dir(folder)?.next().is_none();
    let is_old = is_open(&folder.join(FILE));
    if mode & FOREIGN != 0 && mode & STICKY == 0 && (is_empty || is_old) {
        close(folder, FOLDER_MODE);
    }
    Ok(())
}

/// Makes the database's file for its user alone before SQLite opens it, which gives its other files the same mode.
pub(super) fn private_database(path: &Path) -> io::Result<()> {
    let created = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(FILE_MODE)
        .open(path);
    match created {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            for suffix in ["", "-wal", "-shm"] {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                let file = PathBuf::from(name);
                if is_open(&file) {
                    close(&file, FILE_MODE);
                }
            }
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Why a small file can't be written into a folder; none where it can.
pub(super) fn no_room(folder: &Path) -> Option<io::Error> {
    let path = folder.join("room.new");
    let written = fs::write(&path, [0; 1 << 15]);
    let _ = fs::remove_file(&path);
    written.err()
}

/// Keeps root away from a state folder of another user: the server, which is not root, could not open what root makes
/// there, and root would follow whatever links lie there.
///
/// # Errors
/// How to call the command instead.
pub fn expect_own_folder(folder: &Path) -> io::Result<()> {
    let (Ok(us), Ok(owner)) = (fs::metadata("/proc/self"), fs::metadata(folder)) else {
        return Ok(());
    };
    if us.uid() != 0 || owner.uid() == 0 {
        return Ok(());
    }
    let (uid, gid) = (owner.uid(), owner.gid());
    Err(io::Error::new(
        ErrorKind::PermissionDenied,
        format!(
            "it belongs to the user {uid}, who could not open what root makes there: setpriv --reuid={uid} --regid={gid} --clear-groups dastarkhan …"
        ),
    ))
}
