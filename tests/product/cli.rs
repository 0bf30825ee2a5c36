//! The command line: help, wrong settings, the sandbox that can't run by accident.

use std::{process::Command, sync::Arc};

use dastarkhan::{
    keys::seal::Keys,
    state::{Options, State},
};
use serde_json::json;
use tower_sessions::Session;

use crate::{
    insight::Receiver,
    support::{BINARY, Product, VENUE, may_mount, new_folder, not_run, plain_products},
};

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
    let serve = Command::new(BINARY)
        .args(["serve", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(serve.stdout).unwrap();
    // On standard output, with its examples of addresses as they are.
    assert!(help.contains("UPSTREAM_URL") && help.contains("https://KEY@"));
    assert!(serve.status.success() && serve.stderr.is_empty());
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

/// R-07.
#[test]
fn a_render_may_take_half_a_second_where_nothing_is_set() {
    let help = run(&["serve", "--help"], &[]).1;
    let (_, after) = help.split_once("[env: RENDER_LIMIT_MS=]").unwrap();
    assert!(after.trim_start().starts_with("[default: 500]"));
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
        ("TRUSTED_PROXIES", "0.0.0.0/0"),
        ("SENTRY_DSN", "https://key:TOPSECRET@host/1?x"),
        ("OTLP_URL", "ftp://user:TOPSECRET@host/"),
        ("LOG", "dastarkhan=nonsense=x"),
        ("SANDBOX_SPEED", "-1"),
        ("MAX_CONNECTIONS", "many"),
        ("IMAGE_STORAGE", "http://storage.example.kz/"),
        ("IMAGE_STORAGE", "http://8.8.8.8/x"),
        (
            "IMAGE_STORAGE",
            "https://user:TOPSECRET@storage.example.kz/?key=TOPSECRET",
        ),
        ("IMAGE_ORIGINS", "storage"),
        ("IMAGE_CACHE_MB", "-1"),
        ("LOG", "inof"),
        ("LOG", "info,debgu"),
        ("LOG", "dastarkan=info"),
        ("TILE_CREDIT", "Maps|javascript:alert(1)"),
        ("PUBLIC_URL", "https://example.kz/app"),
        ("SECRET_KEYS", &"0".repeat(64)),
        ("MUTATIONS_PER_MINUTE", "0"),
        ("ADDRESS_MUTATIONS_PER_MINUTE", "0"),
        ("ADDRESS_ORDERS_PER_MINUTE", "0"),
        ("ADDRESS_SESSIONS_PER_MINUTE", "0"),
        ("ADDRESS_LOOKUPS_PER_MINUTE", "0"),
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
        assert!(!text.contains("TOPSECRET"), "{name}: {text}");
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
    // An address that is taken: nothing is left running where it is not refused.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let (fine, text) = run(
        &["sandbox", "--sandbox-listen", &listen],
        &[("PROFILE", "production"), ("STATE_DIR", "/dev/null/state")],
    );
    assert!(!fine && text.contains("PROFILE is production"), "{text}");
    assert!(
        !run(&["serve"], &[("PROFILE", "production")]).0,
        "serve needs UPSTREAM_URL"
    );
}

/// Else a client would say by a header what our own address is.
#[test]
fn production_never_starts_without_its_public_address() {
    // What is wrong, without the log.
    let run = |args: &[&str], env: &[(&str, &str)]| {
        let (fine, text) = run(args, env);
        let wrong = text.lines().filter(|line| !line.starts_with('{'));
        (fine, wrong.collect::<String>())
    };
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
    // What guests sign in with goes there; this machine has nobody on the way.
    for (page, is_refused) in [
        ("http://id.example.kz/oauth2/authorize", true),
        ("HTTP://id.example.kz", true),
        ("http://localhost.example.kz/", true),
        ("http://127.0.0.1:9/oauth2/authorize", false),
        ("https://id.example.kz/oauth2/authorize", false),
    ] {
        let named = [&with[..], &["--oauth-url", page]].concat();
        let (fine, text) = run(&named, &upstream);
        assert!(
            !fine && text.contains("LISTEN") != is_refused,
            "{page}: {text}"
        );
        assert_eq!(text.contains("OAUTH_URL"), is_refused, "{page}: {text}");
    }
    let check = [
        "check",
        "--state-dir",
        state,
        "--public-url",
        "https://food.example.kz",
    ];
    for (upstream, page, told) in [
        ("http://upstream.invalid", None, "warning: OAUTH_URL"),
        (
            "http://127.0.0.1:9",
            Some("http://id.example.kz"),
            "dastarkhan: OAUTH_URL",
        ),
    ] {
        let page = page.map(|page| ("OAUTH_URL", page));
        let settings = [("PROFILE", "production"), ("UPSTREAM_URL", upstream)];
        let settings: Vec<_> = settings.into_iter().chain(page).collect();
        let (_, text) = run(&check, &settings);
        assert!(text.contains(told), "{text}");
    }
    // Where none is named, the upstream's own origin stands on every page as that of payment pages.
    for (upstream, origins, is_told) in [
        ("http://upstream.example.invalid", None, true),
        ("https://localhost:9", None, true),
        ("https://[::1]:9", None, true),
        ("http://127.0.0.1:9", None, true),
        ("https://upstream.example.invalid", None, false),
        ("http://127.0.0.1:9", Some("https://pay.example.kz"), false),
    ] {
        let origins = origins.map(|origins| ("PAYMENT_ORIGINS", origins));
        let settings = [("PROFILE", "production"), ("UPSTREAM_URL", upstream)];
        let settings: Vec<_> = settings.into_iter().chain(origins).collect();
        let (_, text) = run(&check, &settings);
        let told = text.contains("warning: PAYMENT_ORIGINS");
        assert_eq!(told, is_told, "{upstream}: {text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// A supervisor starts it again and again.
#[test]
fn secrets_that_cannot_be_written_leave_no_file() {
    let folder = new_folder();
    let state = folder.join("state");
    // Files can be made and get no bytes, as on a full disk.
    let done = Command::new("sh")
        .args(["-c", r#"trap '' XFSZ; ulimit -f 0; exec "$0" "$@""#, BINARY])
        .args(["check", "--state-dir", state.to_str().unwrap()])
        .envs([UNREACHABLE])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(text.contains("STATE_DIR"), "{text}");
    let names = std::fs::read_dir(&state).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<_> = names
        .filter(|name| name.starts_with("secret.keys"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let _ = std::fs::remove_dir_all(folder);
}

/// It begins as a flag does, and is none.
#[test]
fn a_negative_number_is_told_with_the_setting_that_it_was_for() {
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    for (flag, value) in [
        ("--isolates", "-1"),
        ("--max-connections", "-4096"),
        ("--drain-seconds", "-0.5"),
        ("--otlp-share", "-1"),
    ] {
        let name = flag
            .trim_start_matches('-')
            .to_uppercase()
            .replace('-', "_");
        for command in ["serve", "check"] {
            let (fine, text) = run(
                &[command, "--state-dir", state, flag, value],
                &[UNREACHABLE],
            );
            let (flag, name) = (format!("'{flag}"), format!("{name}: "));
            let told = text.contains(&flag) || text.contains(&name);
            assert!(
                !fine && told && text.contains(value),
                "{command} {flag}: {text}"
            );
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

const UNREACHABLE: (&str, &str) = ("UPSTREAM_URL", "http://127.0.0.1:9");

#[test]
fn a_check_names_everything_that_is_wrong_at_once() {
    let folder = new_folder();
    let (state, same) = (folder.to_str().unwrap(), "127.0.0.1:9393");
    let wrong = [
        ("TRUSTED_PROXIES", "foo"),
        ("HOSTS_FILE", "/nope"),
        ("SECRET_KEYS", "a"),
        ("SERVICES", "pizza"),
        ("DRAIN_SECONDS", "18446744073709551615"),
        ("ISOLATES", "1000000"),
        ("LOG", "info,dastarkhan=loud"),
        ("WEB_DIR", "/nope"),
        ("PROFILE", "prod"),
        ("STATE_DIR", state),
        ("LISTEN", same),
        ("ADMIN_LISTEN", same),
        UNREACHABLE,
    ];
    let done = Command::new(BINARY)
        .args(["check", "--header-seconds", "0", "--table-seconds=x"])
        .envs(wrong)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{text}");
    let lines_about = |name: &str| {
        let begin = format!("dastarkhan: {name}: ");
        text.lines().filter(|line| line.starts_with(&begin)).count()
    };
    for (name, _) in wrong
        .iter()
        .filter(|(name, _)| !["STATE_DIR", "LISTEN"].contains(name))
    {
        assert_eq!(lines_about(name), 1, "{name}: {text}");
    }
    for name in ["HEADER_SECONDS", "TABLE_SECONDS"] {
        assert_eq!(lines_about(name), 1, "{name}: {text}");
    }
    assert!(text.ends_with("dastarkhan: not ready to start\n"), "{text}");
    // Without the upstream's address all else is told as well.
    let (fine, text) = run(
        &["check", "--state-dir", state],
        &[("TRUSTED_PROXIES", "foo")],
    );
    assert!(!fine && text.contains("TRUSTED_PROXIES"), "{text}");
    assert!(
        text.contains("UPSTREAM_URL") && !text.contains("nothing.invalid"),
        "{text}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// What one setting says of another is no reason to leave that out.
#[test]
fn a_check_asks_store_and_pictures_also_when_secrets_folder_or_upstream_are_wrong() {
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    for settings in [
        [
            ("SECRET_KEYS", "a"),
            ("STATE_DIR", state),
            ("STATE_URL", "redis://127.0.0.1:9/0"),
            ("UPSTREAM_URL", "nonsense"),
            ("IMAGE_STORAGE", "http://127.0.0.1:9/files/"),
        ],
        [
            ("SECRET_KEYS", "a"),
            ("STATE_DIR", "/dev/null/state"),
            ("STATE_URL", "http://127.0.0.1/"),
            ("UPSTREAM_URL", "nonsense"),
            ("IMAGE_STORAGE", "http://storage.example.kz/"),
        ],
    ] {
        let (fine, text) = run(&["check"], &settings);
        assert!(!fine, "{text}");
        for (name, value) in settings {
            let told = text.contains(&format!("{name}: "));
            assert!(told || value == state, "{name}: {text}");
        }
    }
    let (fine, text) = run(
        &["check"],
        &[
            ("SECRET_KEYS", &"0a".repeat(32)),
            ("STATE_DIR", "/dev/null/state"),
            ("STATE_URL", "redis://127.0.0.1:9/0"),
            UNREACHABLE,
        ],
    );
    assert!(!fine, "{text}");
    for name in ["STATE_DIR", "STATE_URL"] {
        assert!(text.contains(&format!("{name}: ")), "{text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// `check` and `serve` say the same of each.
#[test]
fn a_start_and_a_check_refuse_the_same() {
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    for (name, value) in [
        ("LOG", "info,dastarkhan=loud"),
        ("LOG", "info,dastarkhan="),
        ("WEB_DIR", "/nope"),
        ("ADMIN_LISTEN", "127.0.0.1:9393"),
        ("ADMIN_LISTEN", "0.0.0.0:9393"),
        ("ADMIN_LISTEN", "203.0.113.7:9394"),
        ("ISOLATES", "1000000"),
        ("DRAIN_SECONDS", "18446744073709551615"),
        ("LINGER_SECONDS", "9999999999999"),
        ("PAGE_FRESH_MS", "18446744073709551615"),
        ("CATALOGUE_FRESH_MS", "18446744073709551615"),
        ("RENDER_LIMIT_MS", "18446744073709551615"),
        ("RENDER_WAIT_MS", "18446744073709551615"),
        ("TABLE_SECONDS", "4294967295"),
        ("IMAGE_CACHE_MB", "18446744073709551615"),
        ("IMAGE_ORIGINS", "https://pictures.example.kz/a"),
        ("ANONYMOUS_ORDERS", "none,express"),
    ] {
        for command in ["check", "serve"] {
            let settings = [
                ("LISTEN", "127.0.0.1:9393"),
                ("STATE_DIR", state),
                UNREACHABLE,
                (name, value),
            ];
            let (fine, text) = run(&[command], &settings);
            let flag = name.to_lowercase().replace('_', "-");
            assert!(
                !fine && (text.contains(name) || text.contains(&flag)),
                "{command} {name}={value}: {text}"
            );
            assert!(
                !text.contains("listening"),
                "{command} {name}={value}: {text}"
            );
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_check_asks_whether_the_brand_is_there() {
    let product = Product::start().await;
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    for (brand, fine) in [("99999999", false), ("9", true)] {
        let (ready, text) = run(
            &["check", "--state-dir", state, "--brand-id", brand],
            &[("UPSTREAM_URL", &product.sandbox)],
        );
        assert_eq!(ready, fine, "{text}");
        assert_eq!(text.contains("BRAND_ID"), !fine, "{text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_check_says_why_the_upstream_can_not_be_reached() {
    let product = Product::start().await;
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    let tls = product.sandbox.replace("http://", "https://");
    for (upstream, why) in [
        (UNREACHABLE.1, "Connection refused"),
        ("http://nobody.invalid", "dns error"),
        (&tls, "corrupt message"),
    ] {
        let (ready, text) = run(
            &["check", "--state-dir", state],
            &[("UPSTREAM_URL", upstream)],
        );
        let told = format!("UPSTREAM_URL: {upstream}: the upstream can't be reached: ");
        assert!(!ready && text.contains(&told), "{text}");
        assert!(text.contains(why), "{why}: {text}");
        // Its pictures can't be reached either: that is the same once more.
        assert!(!text.contains("IMAGE_STORAGE"), "{text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_check_says_that_the_storage_of_pictures_fails() {
    let product = Product::start().await;
    let folder = new_folder();
    let arguments = ["check", "--state-dir", folder.to_str().unwrap()];
    let check = || run(&arguments, &[("UPSTREAM_URL", &product.sandbox)]);
    // It need not list what lies there.
    let (ready, text) = check();
    assert!(ready, "{text}");
    let failing = json!({ "path": "/files/", "kind": "status", "status": 502 });
    product.control("faults", failing).await;
    let (ready, text) = check();
    let told = format!(
        "UPSTREAM_URL, as IMAGE_STORAGE is not set: {}/files/ can't be reached: it answers 502",
        product.sandbox
    );
    assert!(!ready && text.contains(&told), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

/// Not all of them: then a start is refused.
#[tokio::test]
async fn a_check_warns_of_sessions_that_other_secrets_have_sealed() {
    let product = Product::start().await;
    let folder = new_folder();
    let (old, new) = ("0a".repeat(32), "0b".repeat(32));
    for keys in [&old, &format!("{new},{old}")] {
        let keys = Keys::from_hex(keys).unwrap();
        let state = State::open(Options::new(&folder, keys)).await.unwrap();
        let session = Session::new(None, Arc::new(state.sessions()), None);
        session.insert("age", "accepted").await.unwrap();
        session.save().await.unwrap();
    }
    let state = folder.to_str().unwrap();
    let check = |keys: &str| {
        let settings = [
            ("UPSTREAM_URL", product.sandbox.as_str()),
            ("SECRET_KEYS", keys),
        ];
        run(&["check", "--state-dir", state], &settings)
    };
    let (ready, text) = check(&new);
    assert!(
        ready && text.contains("warning: SECRET_KEYS: 1 of 2 sessions"),
        "{text}"
    );
    let (ready, text) = check(&format!("{new},{old}"));
    assert!(ready && !text.contains("warning"), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_warns_of_a_receiver_that_takes_no_events() {
    let product = Product::start().await;
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    let receiver = Receiver::start().await;
    let check = |url: &str| {
        run(
            &["check", "--state-dir", state],
            &[("UPSTREAM_URL", &product.sandbox), ("ANALYTICS_URL", url)],
        )
    };
    let (ready, text) = check(&receiver.url);
    assert!(ready && !text.contains("warning"), "{text}");
    let begin = "warning: ANALYTICS_URL: events are not taken: ";
    receiver.answers(404);
    for (url, why) in [(receiver.url.as_str(), "404"), (UNREACHABLE.1, "refused")] {
        let (ready, text) = check(url);
        assert!(ready && text.contains(begin), "{text}");
        assert!(text.contains(why), "{why}: {text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_warns_of_services_that_do_not_answer_and_settings_of_countries_that_do_not_come() {
    let product = Product::start().await;
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    let origin = UNREACHABLE.1;
    let tiles = format!("{origin}/{{z}}/{{x}}/{{y}}");
    let errors = format!("{}/1", origin.replace("://", "://key@"));
    let spans = format!("{origin}/v1/traces");
    let (ready, text) = run(
        &["check", "--state-dir", state],
        &[
            ("UPSTREAM_URL", &product.sandbox),
            ("TILE_URL", &tiles),
            ("SENTRY_DSN", &errors),
            ("OTLP_URL", &spans),
        ],
    );
    assert!(ready, "{text}");
    for setting in ["TILE_URL", "SENTRY_DSN", "OTLP_URL"] {
        assert!(text.contains(&format!("warning: {setting}: ")), "{text}");
    }
    assert!(!text.contains("of the country"), "{text}");
    let check = || {
        run(
            &["check", "--state-dir", state],
            &[("UPSTREAM_URL", &product.sandbox)],
        )
    };
    let (ready, text) = check();
    assert!(ready && !text.contains("warning"), "{text}");
    product.fail("/locations/v1/countries/1", 503).await;
    let (ready, text) = check();
    assert!(
        ready && text.contains("the settings of the country kz do not come"),
        "{text}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_folder_of_the_sandbox_that_is_a_file_is_named_by_its_setting() {
    let folder = new_folder();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("sandbox"), "").unwrap();
    let (fine, text) = run(
        &[
            "sandbox",
            "--sandbox-listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.to_str().unwrap(),
        ],
        &[],
    );
    assert!(!fine && text.contains("STATE_DIR"), "{text}");
    assert!(!text.contains("SANDBOX_LISTEN"), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_check_finds_damage_that_no_request_has_met() {
    let product = Product::start().await;
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    let check = || {
        run(
            &["check", "--state-dir", state],
            &[("UPSTREAM_URL", &product.sandbox)],
        )
    };
    let (ready, text) = check();
    assert!(ready, "{text}");
    // The root of a table that a start does not read.
    let file = folder.join("state.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 4096;
    bytes[last..last + 16].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let (ready, text) = check();
    assert!(!ready && text.contains("damaged"), "{text}");
    // What a message names has a line about it.
    let there = concat!(env!("CARGO_MANIFEST_DIR"), "/server/operation/README.md");
    let there = std::fs::read_to_string(there).unwrap();
    assert!(
        text.contains("server/operation/README.md, State,"),
        "{text}"
    );
    assert!(there.contains("\n## State\n") && there.contains("| `damaged` |"));
    let shared = [("STATE_URL", "redis://127.0.0.1:9/0")];
    let (done, text) = run(&["backup", state], &shared);
    assert!(!done, "{text}");
    assert!(
        text.contains("server/operation/README.md, Backup"),
        "{text}"
    );
    assert!(there.contains("\n## Backup\n"));
    let _ = std::fs::remove_dir_all(folder);
}

/// A copy in the place of the live file would take it away from the server that has it open.
#[tokio::test]
async fn a_backup_never_lands_on_the_state_itself() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[0].0).await;
    let (state, elsewhere) = (&product.folder, new_folder());
    // Under another name, by a link to the folder, and by one to the file.
    let link = elsewhere.join("link");
    std::os::unix::fs::symlink(state, &link).unwrap();
    let file = elsewhere.join("file");
    std::fs::create_dir(&file).unwrap();
    std::os::unix::fs::symlink(state.join("state.sqlite"), file.join("state.sqlite")).unwrap();
    let dots = state.join("images/..");
    std::fs::create_dir_all(state.join("images")).unwrap();
    let from = state.to_str().unwrap();
    for to in [state, &link, &file, &dots] {
        let to = to.to_str().unwrap();
        let (fine, text) = run(&["backup", "--state-dir", from, to], &[]);
        assert!(
            !fine && text.contains("name another folder"),
            "{to}: {text}"
        );
        let (fine, text) = run(&["restore", "--state-dir", from, to], &[]);
        assert!(!fine, "{to}: {text}");
    }
    // What is not there is looked for by its setting.
    let missing = elsewhere.join("missing");
    let (missing, to) = (missing.to_str().unwrap(), elsewhere.join("copy"));
    let (fine, text) = run(
        &["backup", "--state-dir", missing, to.to_str().unwrap()],
        &[],
    );
    assert!(!fine && text.contains("STATE_DIR names"), "{text}");
    // Nor on that of another server.
    let other = Product::start().await;
    let to = other.folder.to_str().unwrap();
    let (fine, text) = run(&["backup", "--state-dir", from, to], &[]);
    assert!(!fine && text.contains("a server runs on it"), "{text}");
    assert!(product.admin("/readyz").await.1.contains("store ok\n"));
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    let fine = elsewhere.join("backup");
    let (done, text) = run(
        &["backup", "--state-dir", from, fine.to_str().unwrap()],
        &[],
    );
    assert!(done, "{text}");
    let _ = std::fs::remove_dir_all(elsewhere);
}

#[tokio::test]
async fn secrets_or_a_database_that_are_lost_are_told_and_nothing_is_made_in_their_place() {
    let upstream = Product::start().await;
    let mut product = Product::in_front_of(&upstream).await;
    product.guest_at_table(VENUE, "t7").await;
    product.terminate();
    product.ended().await;
    let settings = [("UPSTREAM_URL", upstream.sandbox.as_str())];
    let state = product.folder.to_str().unwrap().to_owned();
    let any = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let (secrets, moved) = (
        product.folder.join("secret.keys"),
        product.folder.join("aside"),
    );
    std::fs::rename(&secrets, &moved).unwrap();
    for command in ["check", "serve"] {
        let words = [&[command, "--state-dir", &state][..], &any].concat();
        let (fine, text) = run(&words, &settings);
        assert!(
            !fine && text.contains("STATE_DIR") && text.contains("secret.keys is missing"),
            "{text}"
        );
        assert!(!secrets.exists() && !text.contains("listening"), "{text}");
    }
    std::fs::rename(&moved, &secrets).unwrap();
    for file in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
        let _ = std::fs::remove_file(product.folder.join(file));
    }
    let database = product.folder.join("state.sqlite");
    std::fs::write(&database, "").unwrap();
    std::fs::write(product.folder.join("state.sqlite-wal"), "left behind").unwrap();
    let (fine, text) = run(&["check", "--state-dir", &state], &settings);
    assert!(!fine && text.contains("state.sqlite is missing"), "{text}");
    std::fs::remove_file(&database).unwrap();
    std::fs::remove_file(product.folder.join("state.sqlite-wal")).unwrap();
    let (fine, text) = run(&["check", "--state-dir", &state], &settings);
    assert!(!fine && text.contains("state.sqlite is missing"), "{text}");
    assert!(!database.exists());
    // Guests are served all the same; the operator is told.
    let next = product.beside().await;
    assert_eq!(next.guest().get("/").await.status, 200);
    let logs = product.logs();
    let told = logs
        .lines()
        .find(|line| line.contains("state.sqlite was missing"));
    assert!(
        told.is_some_and(|line| {
            line.contains(r#""level":"ERROR""#) && line.contains("a new, empty one is made now")
        }),
        "{logs}"
    );
}

/// The snapshot is the first that a start writes; one that lies beside the binary needs no room.
#[test]
fn a_first_start_that_can_not_write_names_the_setting() {
    let folder = new_folder();
    let binary = folder.join("dastarkhan");
    // By another process: a file that this one has open for writing is inherited by what other tests start meanwhile,
    // and can't be run.
    let copied = Command::new("cp").arg(BINARY).arg(&binary).status();
    assert!(copied.unwrap().success());
    let state = folder.join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(state.join("snapshots"), "").unwrap();
    let done = Command::new(&binary)
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
            "--state-dir",
        ])
        .arg(&state)
        .envs([UNREACHABLE])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("dastarkhan: STATE_DIR: ") && last.contains(state.to_str().unwrap()),
        "{text}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// A backup that is none must not take the place of a state that is well.
#[tokio::test]
async fn a_restore_refuses_what_no_server_has_written_and_keeps_what_was_there() {
    let elsewhere = new_folder();
    let backup = async |name: &str| {
        let mut product = Product::start().await;
        let guest = product.guest_at_table(VENUE, "t7").await;
        let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
        guest.add(VENUE, dishes[0].0).await;
        let (to, from) = (elsewhere.join(name), product.folder.to_str().unwrap());
        let (done, text) = run(&["backup", "--state-dir", from, to.to_str().unwrap()], &[]);
        assert!(done, "{text}");
        product.kill();
        to
    };
    let (good, other) = (backup("good").await, backup("other").await);
    let state = elsewhere.join("state");
    let restore = |from: &std::path::Path| {
        let (from, to) = (from.to_str().unwrap(), state.to_str().unwrap());
        run(&["restore", "--state-dir", to, from], &[])
    };
    let (done, text) = restore(&good);
    assert!(done, "{text}");
    let held = || std::fs::read(state.join("state.sqlite")).unwrap();
    let secrets = |folder: &std::path::Path| std::fs::read(folder.join("secret.keys")).unwrap();
    let before = held();

    let bad = |name: &str| {
        let folder = elsewhere.join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("secret.keys"), secrets(&good)).unwrap();
        folder
    };
    let empty = bad("empty");
    std::fs::write(empty.join("state.sqlite"), "").unwrap();
    let foreign = bad("foreign");
    rusqlite::Connection::open(foreign.join("state.sqlite"))
        .unwrap()
        .execute_batch("CREATE TABLE sessions (x); PRAGMA user_version = 1;")
        .unwrap();
    let mixed = bad("mixed");
    std::fs::copy(other.join("state.sqlite"), mixed.join("state.sqlite")).unwrap();
    for folder in [&empty, &foreign, &mixed] {
        let (done, text) = restore(folder);
        assert!(
            !done && text.contains("no backup that can be used"),
            "{text}"
        );
        assert_eq!(held(), before, "{text}");
        assert_eq!(secrets(&state), secrets(&good));
    }

    // A good one of another day: who has taken the wrong one can go back.
    let (done, text) = restore(&other);
    assert!(done, "{text}");
    assert_eq!(
        std::fs::read(state.join("state.sqlite.before")).unwrap(),
        before
    );
    assert_eq!(
        std::fs::read(state.join("secret.keys.before")).unwrap(),
        secrets(&good)
    );

    // Nor does a start take the file of another program for an old one of its own.
    std::fs::remove_file(state.join("state.sqlite")).unwrap();
    rusqlite::Connection::open(state.join("state.sqlite"))
        .unwrap()
        .execute_batch("CREATE TABLE things (x)")
        .unwrap();
    let settings = [("STATE_DIR", state.to_str().unwrap()), UNREACHABLE];
    let (fine, text) = run(&["serve"], &settings);
    assert!(!fine && text.contains("another program"), "{text}");
    assert!(!text.contains("CREATE"), "{text}");
    let _ = std::fs::remove_dir_all(elsewhere);
}

/// After a kill the latest writes are in the log alone, and who restores twice wants the first state back.
#[tokio::test]
async fn a_restore_keeps_the_last_writes_of_a_killed_server_and_what_another_one_kept() {
    let upstream = Product::start().await;
    let mut product = Product::in_front_of(&upstream).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let state = product.folder.clone();
    let name = state.to_str().unwrap();
    let elsewhere = new_folder();
    let backup = elsewhere.join("backup");
    let backup = backup.to_str().unwrap();
    let (done, text) = run(&["backup", "--state-dir", name, backup], &[]);
    assert!(done, "{text}");
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[0].0).await;
    product.kill();
    assert!(
        std::fs::metadata(state.join("state.sqlite-wal"))
            .unwrap()
            .len()
            > 0
    );
    if may_mount() {
        // The database can't be moved: what was moved before it is put back.
        let files = || {
            ["state.sqlite-wal", "state.sqlite"]
                .map(|file| std::fs::read(state.join(file)).unwrap())
        };
        let whole = files();
        let held = r#"mount --bind "$0/state.sqlite" "$0/state.sqlite" && exec "$1" restore --state-dir "$0" "$2""#;
        let refused = Command::new("unshare")
            .args(["-Urm", "sh", "-c", held, name, BINARY, backup])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(
            !refused.status.success() && text.contains("state.sqlite"),
            "{text}"
        );
        assert_eq!(files(), whole);
    }
    let (done, text) = run(&["restore", "--state-dir", name, backup], &[]);
    assert!(done, "{text}");
    let told = "is kept as state.sqlite.before-wal, state.sqlite.before, secret.keys.before\n";
    assert!(text.contains(told), "{text}");
    let kept = ["state.sqlite.before-wal", "state.sqlite.before"];
    let bytes = || kept.map(|file| std::fs::read(state.join(file)).unwrap());
    let before = bytes();
    let (done, text) = run(&["restore", "--state-dir", name, backup], &[]);
    assert!(done, "{text}");
    let told = "is kept as state.sqlite.before.2, secret.keys.before.2\n";
    assert!(text.contains(told), "{text}");
    assert_eq!(bytes(), before);

    // It was the wrong one: back to what the first restore kept.
    for file in ["state.sqlite-wal", "state.sqlite", "secret.keys"] {
        let (file, ending) = file
            .strip_suffix("-wal")
            .map_or((file, ""), |file| (file, "-wal"));
        let from = state.join(format!("{file}.before{ending}"));
        std::fs::rename(from, state.join(format!("{file}{ending}"))).unwrap();
    }
    let product = product.beside().await;
    let cart = guest.at(&product).get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    let _ = std::fs::remove_dir_all(elsewhere);
}

#[test]
fn a_new_snapshot_takes_the_place_of_the_oldest_ones_and_of_nothing_else() {
    // On the disk of the binary, which is linked and not copied.
    let folder =
        std::path::Path::new(BINARY).with_file_name(format!("link-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let binary = folder.join("dastarkhan");
    std::fs::hard_link(BINARY, &binary).unwrap();
    let now = std::fs::metadata(&folder).unwrap().modified().unwrap();
    let make = || Command::new(&binary).arg("snapshot").output().unwrap();
    let held = || {
        let names = std::fs::read_dir(&folder).unwrap().flatten();
        let names = names.map(|entry| entry.file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let change = |name: &str, hours: u64| {
        let mut file = std::fs::File::options();
        let file = file
            .append(true)
            .create(true)
            .open(folder.join(name))
            .unwrap();
        let ago = std::time::Duration::from_secs(3600 * hours);
        file.set_modified(now - ago).unwrap();
    };
    let one = |digit: &str| format!("{}.snapshot", digit.repeat(24));
    assert!(make().status.success());
    let own = held()
        .into_iter()
        .find(|name| name.ends_with(".snapshot"))
        .unwrap();
    for hours in 2..6 {
        change(&one(&hours.to_string()), hours);
    }
    let others = [
        "other.snapshot".to_owned(),
        format!("{}.part", "9".repeat(24)),
        "other.part1".to_owned(),
        // Being written by another process.
        format!("{}.part2", "9".repeat(24)),
    ];
    for (other, hours) in others.iter().zip([99, 99, 99, 0]) {
        change(other, hours);
    }
    // A kill has cut it off.
    change(&format!("{}.part1", "9".repeat(24)), 1);
    // In use: a start reads it, and ends as its address is taken.
    change(&own, 50);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let state = new_folder();
    let cut_off = state
        .join("snapshots")
        .join(format!("{}.part7", "9".repeat(24)));
    std::fs::create_dir(state.join("snapshots")).unwrap();
    let file = std::fs::File::create(&cut_off).unwrap();
    file.set_modified(now - std::time::Duration::from_secs(3600))
        .unwrap();
    let started = Command::new(&binary)
        .args(["serve", "--admin-listen", "127.0.0.1:0", "--listen"])
        .arg(taken.local_addr().unwrap().to_string())
        .arg("--state-dir")
        .arg(&state)
        .envs([UNREACHABLE])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&started.stderr);
    assert!(
        !started.status.success() && text.contains("LISTEN"),
        "{text}"
    );
    assert!(!cut_off.exists());
    let used = std::fs::metadata(folder.join(&own))
        .unwrap()
        .modified()
        .unwrap();
    assert!(used.elapsed().unwrap() < std::time::Duration::from_secs(3600));
    assert!(make().status.success());
    let mut expected = std::collections::BTreeSet::from(others);
    expected.extend([own, one("2"), one("3"), "dastarkhan".to_owned()]);
    assert_eq!(held(), expected);
    // What others have made just now they are about to read.
    for digit in ["a", "b", "c"] {
        change(&one(digit), 0);
        expected.insert(one(digit));
    }
    expected.remove(&one("2"));
    expected.remove(&one("3"));
    assert!(make().status.success());
    assert_eq!(held(), expected);
    let _ = std::fs::remove_dir_all(folder);
    let _ = std::fs::remove_dir_all(state);
}

/// The server's own user could not open what root makes there. Only root can show it.
#[test]
fn root_does_not_serve_from_the_folder_of_another_user() {
    let folder = new_folder();
    let state = folder.to_str().unwrap();
    if std::os::unix::fs::chown(&folder, Some(65534), Some(65534)).is_err() {
        return;
    }
    // A start that is not refused ends as its address is taken.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    for command in [
        &["serve", "--listen", &listen][..],
        &[
            "demo",
            "--listen",
            &listen,
            "--sandbox-listen",
            "127.0.0.1:0",
        ],
        &["check"],
    ] {
        let settings = [("STATE_DIR", state), UNREACHABLE];
        let (fine, text) = run(command, &settings);
        assert!(!fine && !text.contains("listening"), "{command:?}: {text}");
        for told in ["STATE_DIR: ", state, "setpriv --reuid=65534"] {
            assert!(text.contains(told), "{command:?} {told}: {text}");
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Also where the files by which servers know each other are gone, or can't be read.
#[tokio::test]
async fn a_restore_and_a_server_keep_each_other_out() {
    let upstream = Product::start().await;
    let mut product = Product::in_front_of(&upstream).await;
    let state = product.folder.clone();
    let name = state.to_str().unwrap();
    let elsewhere = new_folder();
    let backup = elsewhere.join("backup");
    let backup = backup.to_str().unwrap();
    let (done, text) = run(&["backup", "--state-dir", name, backup], &[]);
    assert!(done, "{text}");
    std::fs::remove_dir_all(state.join("owners")).unwrap();
    let (done, text) = run(&["restore", "--state-dir", name, backup], &[]);
    assert!(!done && text.contains("stop it first"), "{text}");
    assert!(!state.join("state.sqlite.before").exists());
    product.kill();
    // As a restore holds it.
    let folder = std::fs::File::open(&state).unwrap();
    folder.lock().unwrap();
    for command in ["serve", "check"] {
        // In the midst of it: one of the files has gone, the other has not come.
        for missing in ["state.sqlite", "secret.keys"] {
            let away = state.join("away");
            std::fs::rename(state.join(missing), &away).unwrap();
            let settings = [("STATE_DIR", name), ("LISTEN", "127.0.0.1:0"), UNREACHABLE];
            let (fine, text) = run(&[command], &settings);
            assert!(!fine && text.contains("being restored"), "{text}");
            assert!(!state.join(missing).exists(), "{command}: {missing}");
            std::fs::rename(&away, state.join(missing)).unwrap();
        }
    }
    drop(folder);
    let (done, text) = run(&["restore", "--state-dir", name, backup], &[]);
    assert!(done, "{text}");
    let _ = std::fs::remove_dir_all(elsewhere);
}

#[tokio::test]
async fn a_restore_onto_a_full_disk_names_it_and_leaves_nothing() {
    if !may_mount() {
        not_run("a_restore_onto_a_full_disk_names_it_and_leaves_nothing");
        return;
    }
    let product = Product::start().await;
    let (elsewhere, full) = (new_folder(), new_folder());
    let backup = elsewhere.join("backup");
    let (backup, to) = (backup.to_str().unwrap(), full.to_str().unwrap());
    let from = product.folder.to_str().unwrap();
    let (done, text) = run(&["backup", "--state-dir", from, backup], &[]);
    assert!(done, "{text}");
    let script = r#"mount -t tmpfs -o size=8k tmpfs "$0" && { "$1" restore --state-dir "$0" "$2"; ls -A "$0"; }"#;
    let done = Command::new("unshare")
        .args(["-Urm", "sh", "-c", script, to, BINARY, backup])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(
        text.contains(&format!("{to}: ")) && text.contains("make room"),
        "{text}"
    );
    assert!(!text.contains(backup), "{text}");
    assert_eq!(String::from_utf8_lossy(&done.stdout), "");
    for folder in [elsewhere, full] {
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[test]
fn a_start_tells_what_was_set_and_no_secret() {
    let folder = new_folder();
    // The start ends as its address is taken.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let keys = "0a".repeat(32);
    let settings = [
        ("STATE_DIR", folder.to_str().unwrap()),
        ("SECRET_KEYS", &keys),
        ("SENTRY_DSN", "https://sentrykey@errors.example.kz/1"),
        (
            "TILE_URL",
            "https://tiles.example.kz/{z}/{x}/{y}?key=tilekey",
        ),
        ("TRUSTED_PROXIES", "10.0.0.1,10.0.0.2"),
        UNREACHABLE,
    ];
    let (fine, text) = run(&["serve", "--listen", &listen], &settings);
    assert!(!fine && text.contains("LISTEN"), "{text}");
    let mut lines = text
        .lines()
        .filter(|line| line.contains("Settings that were given"));
    let line = lines.next().expect("a line about the settings");
    assert!(lines.next().is_none());
    for told in [
        &*format!("LISTEN={listen}"),
        "TRUSTED_PROXIES=10.0.0.1,10.0.0.2",
        "UPSTREAM_URL=http://127.0.0.1:9",
        "SECRET_KEYS=…",
        "SENTRY_DSN=…",
        "TILE_URL=…",
    ] {
        assert!(line.contains(told), "{told}: {line}");
    }
    // Nor what nobody has set.
    for secret in [&*keys, "sentrykey", "tilekey", "PAGE_FRESH_MS"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
