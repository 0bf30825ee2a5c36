//! What cannot be kept in a snapshot is found and named.

use ssr::{SnapshotError, make_snapshot};

const RENDER: &str = "globalThis.__render = () => '{}\\n'; ";

fn error(js: &str) -> SnapshotError {
    let bundle = format!("// components/lib/good.ts\n{RENDER}\n// components/lib/bad.ts\n{js}");
    make_snapshot(&bundle, &[]).expect_err("it cannot be kept")
}

fn names_the_module(text: &str) -> bool {
    text.contains("[components/lib/bad.ts]") && text.contains("server.js:4:")
}

#[test]
fn module_level_intl_is_named() {
    let uses = [
        "const money = new Intl.NumberFormat('kk')",
        "globalThis.format = Intl.DateTimeFormat('ru')",
        "globalThis.text = (1234.5).toLocaleString('ru')",
        "['б', 'а'].sort((a, b) => a.localeCompare(b))",
    ];
    for js in uses {
        let SnapshotError::Intl(place) = error(js) else {
            panic!("{js}: {}", error(js))
        };
        assert!(names_the_module(&place), "{place}");
    }
}

#[test]
fn intl_while_warming_is_named() {
    let error = error("globalThis.__warm = () => { globalThis.kept = new Intl.PluralRules('kk') }");
    assert!(
        matches!(&error, SnapshotError::Intl(place) if names_the_module(place)),
        "{error}"
    );
}

#[test]
fn module_level_timers_are_named() {
    for js in [
        "setTimeout(() => {}, 10)",
        "setInterval(() => {}, 10)",
        "setTimeout(() => {})",
    ] {
        let error = error(js);
        assert!(
            matches!(&error, SnapshotError::Timer(place) if names_the_module(place)),
            "{error}"
        );
    }
}

#[test]
fn module_level_pending_promises_are_named() {
    for js in [
        "globalThis.p = new Promise(() => {})",
        "(async () => { await { then() {} } })()",
    ] {
        let error = error(js);
        assert!(
            matches!(&error, SnapshotError::PendingPromise(place) if names_the_module(place)),
            "{error}"
        );
    }
}

#[test]
fn settled_promises_are_no_fault() {
    let js = format!("{RENDER} Promise.resolve(1).then(() => 2); (async () => {{ await 1 }})()");
    make_snapshot(&js, &[]).expect("it is kept");
}

#[test]
fn wasm_is_named() {
    let error = error("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))");
    assert!(
        matches!(&error, SnapshotError::Wasm(place) if names_the_module(place)),
        "{error}"
    );
}

#[test]
fn other_faults_are_told_apart() {
    let thrown = error("throw new Error('no salt')");
    assert!(
        matches!(&thrown, SnapshotError::Evaluation(text)
            if text.contains("no salt") && text.contains("[components/lib/bad.ts]")),
        "{thrown}"
    );
    let syntax = make_snapshot("const = 1", &[]).expect_err("it does not parse");
    assert!(matches!(syntax, SnapshotError::Evaluation(_)), "{syntax}");
    let none = make_snapshot("globalThis.x = 1", &[]).expect_err("nothing to call");
    assert_eq!(none, SnapshotError::NoRender);
    let warm = error("globalThis.__warm = async () => { throw new Error('too cold') }");
    assert!(
        matches!(&warm, SnapshotError::Warm(text) if text.contains("too cold")),
        "{warm}"
    );
    let stuck = error("globalThis.__warm = () => new Promise(() => {})");
    assert!(matches!(&stuck, SnapshotError::Warm(_)), "{stuck}");
}

#[test]
fn warming_renders_must_succeed() {
    let js = "globalThis.__render = (url) => { if (url === '/bad') throw new Error('burnt'); return '{}\\n' }";
    make_snapshot(js, &[("/good", "{}")]).expect("it is kept");
    let error = make_snapshot(js, &[("/good", "{}"), ("/bad", "{}")]).expect_err("it throws");
    assert!(
        matches!(&error, SnapshotError::Warm(text) if text.contains("burnt")),
        "{error}"
    );
}
