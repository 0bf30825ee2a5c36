//! Who may read the files of the state (S-04).

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::Path,
};

use dastarkhan::state::backup;

use super::Fixture;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The modes of the database and what stands beside it, after a write.
async fn modes(fixture: &Fixture) -> Vec<(String, u32)> {
    let state = fixture.open().await;
    state.sweep().await.unwrap();
    let files = ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"];
    files
        .map(|name| (name.to_owned(), mode(&fixture.dir.join(name))))
        .to_vec()
}

#[tokio::test]
async fn the_state_is_for_its_user_alone() {
    let fixture = Fixture::new();
    for (name, mode) in modes(&fixture).await {
        assert_eq!(mode, 0o600, "{name}");
    }
    assert_eq!(mode(&fixture.dir), 0o700);

    // A folder that was made for it.
    let fixture = Fixture::new();
    fs::create_dir(&fixture.dir).unwrap();
    fs::set_permissions(&fixture.dir, Permissions::from_mode(0o755)).unwrap();
    modes(&fixture).await;
    assert_eq!(mode(&fixture.dir), 0o700);
}

#[tokio::test]
async fn a_state_that_others_could_read_is_closed_to_them() {
    let fixture = Fixture::new();
    modes(&fixture).await;
    fs::set_permissions(&fixture.dir, Permissions::from_mode(0o755)).unwrap();
    for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
        let path = fixture.dir.join(name);
        if path.exists() {
            fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
        }
    }
    for (name, mode) in modes(&fixture).await {
        assert_eq!(mode, 0o600, "{name}");
    }
    assert_eq!(mode(&fixture.dir), 0o700);
}

#[tokio::test]
async fn a_folder_that_holds_other_things_too_stays_as_it_is() {
    for folder in [0o755, 0o1777] {
        let fixture = Fixture::new();
        fs::create_dir(&fixture.dir).unwrap();
        if folder == 0o755 {
            fs::write(fixture.dir.join("other"), "").unwrap();
        }
        fs::set_permissions(&fixture.dir, Permissions::from_mode(folder)).unwrap();
        for (name, mode) in modes(&fixture).await {
            assert_eq!(mode, 0o600, "{name}");
        }
        modes(&fixture).await;
        assert_eq!(mode(&fixture.dir), folder & 0o777);
    }
}

/// Root may copy the state of the server's user, who alone may restore it. Only root can show it.
#[tokio::test]
async fn what_root_has_copied_is_the_servers_users() {
    let from = Fixture::new();
    modes(&from).await;
    let (kept, own) = (from.dir.join("kept"), from.dir.join("own"));
    fs::create_dir(&own).unwrap();
    let before = fs::metadata(&own).unwrap().uid();
    let is_root = chown(&from.dir, Some(65534), Some(65534)).is_ok();
    backup::backup(&from.dir, &kept).unwrap();
    backup::backup(&from.dir, &own).unwrap();
    let user = if is_root { 65534 } else { before };
    for made in [&kept, &kept.join("state.sqlite"), &own.join("state.sqlite")] {
        assert_eq!(fs::metadata(made).unwrap().uid(), user, "{made:?}");
    }
    assert_eq!(
        fs::metadata(&own).unwrap().uid(),
        before,
        "a folder that was there"
    );
}

/// The server is not root, and could not open what root has made. Only root can show it.
#[tokio::test]
async fn root_does_not_restore_into_the_folder_of_another_user() {
    let (from, to) = (Fixture::new(), Fixture::new());
    modes(&from).await;
    let kept = from.dir.join("kept");
    backup::backup(&from.dir, &kept).unwrap();
    fs::create_dir(&to.dir).unwrap();
    let is_root = chown(&to.dir, Some(65534), Some(65534)).is_ok();
    let restored = backup::restore(&kept, &to.dir);
    assert_eq!(restored.is_err(), is_root);
    if let Err(refused) = restored {
        assert!(refused.to_string().contains("setpriv --reuid=65534"));
        assert_eq!(fs::read_dir(&to.dir).unwrap().count(), 0);
    }
}
