//! schemathesis against the document: no call of the sandbox fails with a 5xx, and
//! every answer is one that the document describes. A bounded run with a fixed seed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{World, dinner};
use crate::walk::Walk;

const SEED: &str = "20261121";
/// Of the fuzzing phase, for each operation; the coverage phase is bounded by the document.
const EXAMPLES: &str = "10";
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
/// What a run must not call, as it would end its own world: faults on purpose, forgetting
/// everything, the clock, the end of tokens and people. The document is read before.
const LEFT_OUT: [&str; 9] = [
    "openapi",
    "addFault",
    "reset",
    "setClock",
    "setSpeed",
    "endTokens",
    "form",
    "revoke",
    "deleteUser",
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a stage of its own: tests/run.sh schemathesis"]
async fn schemathesis_finds_no_500_as_a_stranger() {
    let world = World::start().await;
    // Most operations refuse an anonymous caller before they read anything: what the document's bounds do is shown as a guest.
    run(&world, "stranger", "fuzzing", &[], "{}".to_owned()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a stage of its own: tests/run.sh schemathesis"]
async fn schemathesis_finds_no_500_as_a_guest_with_belongings() {
    let world = World::start().await;
    let order = world.order(&dinner(), "walk").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let walk = Walk::prepare(&world, order).await;
    let bearer = format!("Authorization: Bearer {}", walk.token);
    let headers = [
        "-H",
        bearer.as_str(),
        "-H",
        "X-Fingerprint: phone-1",
        "-H",
        "X-Project: dastarkhan",
        "-H",
        "X-OS: web",
        "-H",
        "lat: 43.24",
        "-H",
        "long: 76.95",
    ];
    let phases = "coverage,fuzzing";
    run(&world, "guest", phases, &headers, walk.known().to_string()).await;
}

/// One run over all operations with these phases; its end is shown when it found something.
async fn run(world: &World, name: &str, phases: &str, arguments: &[&str], known: String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("schemathesis-{name}"));
    // What an earlier run remembered would make this one another.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let config = folder.join("schemathesis.toml");
    std::fs::write(&config, "").unwrap();
    let report = folder.join("report.xml");
    let document = world.get("/_sandbox/openapi.json").await.json();
    let mut command = Command::new(root.join("target/python/bin/schemathesis"));
    command
        .arg("--config-file")
        .arg(config)
        .args([
            "run",
            &format!("{}/_sandbox/openapi.json", world.sandbox.url()),
        ])
        .args(["--phases", phases, "--max-examples", EXAMPLES])
        .args(["--seed", SEED, "--workers", "2", "--checks", CHECKS])
        .args(["--continue-on-failure", "--warnings", "off"])
        .args(["--request-timeout", "20", "--exclude-operation-id-regex"])
        .arg(format!("^({})$", LEFT_OUT.join("|")))
        .args(["--report", "junit", "--report-junit-path"])
        .arg(&report)
        .args(arguments);
    command
        .current_dir(&folder)
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", root.join("tests/schemathesis"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("KNOWN", known);
    let output = tokio::task::spawn_blocking(move || {
        let ready = Command::new(root.join("tests/setup/python.sh")).status();
        assert!(ready.unwrap().success(), "tests/setup/python.sh failed");
        command.output().unwrap()
    });
    let output = output.await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let cases = said.lines().find(|line| line.contains(" generated"));
    println!("schemathesis as {name}: {}", cases.unwrap_or("").trim());
    assert!(output.status.success(), "{said}\n{complaint}");
    let report = std::fs::read_to_string(&report).unwrap();
    let tested: HashSet<&str> = report
        .split("<testcase name=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let operations = operations(&document);
    let missing: Vec<_> = operations
        .iter()
        .filter(|one| !tested.contains(one.as_str()))
        .collect();
    assert!(missing.is_empty(), "not tested: {missing:?}\n{said}");
    let orders = world.get("/_sandbox/api/orders").await;
    assert_eq!(orders.status, 200, "the sandbox no longer answers");
}

/// The operations that the run is to call, as the report names them.
fn operations(document: &Value) -> Vec<String> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if !LEFT_OUT.contains(&operation["operationId"].as_str().unwrap()) {
                operations.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    operations
}
