//! The command line: help, wrong settings, the sandbox that can't run by accident.

use std::process::Command;

use crate::support::BINARY;

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
    let done = Command::new(BINARY)
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    (done.status.success(), text)
}

#[test]
fn help_names_every_setting_with_its_variable() {
    let (fine, help) = run(&["demo", "--help"], &[]);
    assert!(fine);
    for setting in [
        "--listen",
        "LISTEN",
        "--sandbox-listen",
        "SANDBOX_LISTEN",
        "--admin-listen",
        "ADMIN_LISTEN",
        "--state-dir",
        "STATE_DIR",
        "SECRET_KEYS",
    ] {
        assert!(help.contains(setting), "{setting}");
    }
    assert!(run(&["serve", "--help"], &[]).1.contains("UPSTREAM_URL"));
}

#[test]
fn the_readme_has_every_setting() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/server/README.md")).unwrap();
    for command in ["demo", "serve", "sandbox"] {
        let help = run(&[command, "--help"], &[]).1;
        for variable in help
            .split("[env: ")
            .skip(1)
            .filter_map(|rest| rest.split(['=', ']']).next())
        {
            assert!(
                readme.contains(&format!("`{variable}`")),
                "{variable} of {command}"
            );
        }
    }
}

#[test]
fn a_wrong_setting_stops_the_start_with_the_variables_name() {
    let folder = std::env::temp_dir().join(format!("dastarkhan-cli-{}", std::process::id()));
    let state = folder.to_str().unwrap();
    for (name, value) in [
        ("LISTEN", "nowhere"),
        ("SECRET_KEYS", "abc"),
        ("PUBLIC_URL", "javascript:x"),
        ("TRUSTED_PROXIES", "house"),
        ("LOG", "dastarkhan=nonsense=x"),
        ("SANDBOX_SPEED", "-1"),
        ("MAX_CONNECTIONS", "many"),
        ("IMAGE_STORAGE", "http://storage.example.kz/"),
        ("IMAGE_ORIGINS", "storage"),
        ("IMAGE_CACHE_MB", "-1"),
        ("LOG", "inof"),
        ("LOG", "info,debgu"),
        ("PUBLIC_URL", "https://example.kz/app"),
        ("SECRET_KEYS", &"0".repeat(64)),
        ("MUTATIONS_PER_MINUTE", "0"),
        ("ADDRESS_MUTATIONS_PER_MINUTE", "0"),
        ("ADDRESS_ORDERS_PER_MINUTE", "0"),
        ("ADDRESS_SESSIONS_PER_MINUTE", "0"),
    ] {
        let (fine, text) = run(
            &[
                "demo",
                "--state-dir",
                state,
                "--admin-listen",
                "127.0.0.1:0",
                "--sandbox-listen",
                "127.0.0.1:0",
            ],
            &[("LISTEN", "127.0.0.1:0"), (name, value)],
        );
        let flag = name.to_lowercase().replace('_', "-");
        assert!(
            !fine && (text.contains(name) || text.contains(&flag)),
            "{name}: {text}"
        );
        // Folders of pictures are read with the parts that use them.
        let begun = text.contains("listening") && name != "IMAGE_STORAGE";
        assert!(!begun, "{name}: {text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_wrong_file_of_hosts_stops_the_start_and_the_check_with_its_field_and_line() {
    let file = std::env::temp_dir().join(format!("dastarkhan-wrong-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    std::fs::write(&file, "{\n\"a.kz\": {\n\"services\": [\"expres\"] } }").unwrap();
    let upstream = ("UPSTREAM_URL", "http://127.0.0.1:9");
    for command in ["serve", "check"] {
        let (fine, text) = run(&[command, "--hosts-file", path], &[upstream]);
        assert!(!fine && !text.contains("listening"), "{text}");
        for told in ["HOSTS_FILE", path, "a.kz.services[0]", "expres", "line 3"] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }
    let icon = r#"{ "a.kz": { "icons": [{ "file": "no-such-icon.png" }] } }"#;
    std::fs::write(&file, icon).unwrap();
    for command in ["serve", "check"] {
        let (fine, text) = run(&[command, "--hosts-file", path], &[upstream]);
        assert!(!fine && !text.contains("listening"), "{text}");
        for told in [
            "HOSTS_FILE",
            path,
            "a.kz: icons[0].file",
            "no-such-icon.png",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }
    std::fs::remove_file(&file).unwrap();
    let (fine, text) = run(&["serve", "--hosts-file", path], &[upstream]);
    assert!(
        !fine && text.contains("HOSTS_FILE") && text.contains(path),
        "{text}"
    );
}

#[test]
fn production_never_runs_the_sandbox() {
    let (fine, text) = run(
        &["demo", "--profile", "production", "--listen", "127.0.0.1:0"],
        &[],
    );
    assert!(!fine && text.contains("PROFILE"), "{text}");
    assert!(
        !run(&["serve"], &[("PROFILE", "production")]).0,
        "serve needs UPSTREAM_URL"
    );
}

/// Else whoever asks would say by a header what our own address is.
#[test]
fn production_never_starts_without_its_public_address() {
    let upstream = [
        ("PROFILE", "production"),
        ("UPSTREAM_URL", "http://127.0.0.1:9"),
    ];
    let folder = std::env::temp_dir().join(format!("dastarkhan-public-{}", std::process::id()));
    let state = folder.to_str().unwrap();
    // A listener that is taken ends the start of the one that may.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let start = ["serve", "--state-dir", state, "--listen", &listen];
    let (fine, text) = run(&start, &upstream);
    assert!(!fine && text.contains("PUBLIC_URL"), "{text}");
    let plain = [&start[..], &["--public-url", "http://food.example.kz"]].concat();
    let (fine, text) = run(&plain, &upstream);
    assert!(!fine && text.contains("PUBLIC_URL"), "{text}");
    let with = [&start[..], &["--public-url", "https://food.example.kz"]].concat();
    let (fine, text) = run(&with, &upstream);
    assert!(
        !fine && text.contains("LISTEN") && !text.contains("PUBLIC_URL"),
        "{text}"
    );
    let _ = std::fs::remove_dir_all(folder);
}
