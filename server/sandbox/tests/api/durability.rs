//! What was acknowledged survives a killed process.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::client::send;
use crate::fixture::seed;
use crate::support::dinner;

/// R-20 asks for a thousand.
const ORDERS: usize = 1000;
const FOLDER: &str = "SANDBOX_TEST_FOLDER";

/// A process that is killed, as by `kill -9`, when this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Not a test of its own: the process that the test below kills.
#[tokio::test]
#[ignore = "started by the test that kills it"]
async fn child() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("the folder is given"));
    let options = sandbox::Options {
        listen: ([127, 0, 0, 1], 0).into(),
        state_dir: folder.clone(),
        seed: Some(seed()),
        ..sandbox::Options::default()
    };
    let sandbox = sandbox::start(options).await.unwrap();
    std::fs::write(folder.join("address.tmp"), sandbox.addr.to_string()).unwrap();
    std::fs::rename(folder.join("address.tmp"), folder.join("address")).unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_acknowledged_orders_survive_kills() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<(String, String)> = Vec::new();
    let mut unanswered: Vec<String> = Vec::new();
    let mut round = 0;
    // Killed at least five times, each time in the middle of the orders of eight phones.
    while acknowledged.len() < ORDERS {
        let (process, addr) = spawn(folder.path()).await;
        let created = Arc::new(AtomicUsize::new(0));
        let orders: Vec<_> = (0..8)
            .map(|phone| {
                tokio::spawn(keep_ordering(
                    addr,
                    format!("{round}-{phone}"),
                    Arc::clone(&created),
                ))
            })
            .collect();
        while created.load(Ordering::Relaxed) < ORDERS / 5 {
            assert!(
                !orders.iter().any(JoinHandle::is_finished),
                "a phone gave up before the kill"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(process);
        for phone in orders {
            let (last, answers) = phone.await.unwrap();
            acknowledged.extend(answers);
            unanswered.push(last);
        }
        round += 1;
    }
    let (process, addr) = spawn(folder.path()).await;
    for (key, answer) in &acknowledged {
        let again = order(addr, key).await.expect("the sandbox answers");
        assert_eq!(&again, answer, "the order of {key} is another one");
    }
    // Whether an order that got no answer was made or not: its key makes it once.
    for key in &unanswered {
        order(addr, key).await.expect("the sandbox answers");
    }
    drop(process);
    let database = rusqlite::Connection::open(folder.path().join("sandbox.sqlite3")).unwrap();
    let healthy: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(healthy, "ok");
    let mut stored: HashMap<String, String> = HashMap::new();
    let mut orders = database
        .prepare("SELECT idempotency_key, id FROM orders")
        .unwrap();
    let rows = orders.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    for row in rows.unwrap() {
        let (key, id) = row.unwrap();
        let double = stored.insert(key, id);
        assert_eq!(double, None, "two orders of one key");
    }
    assert_eq!(stored.len(), acknowledged.len() + unanswered.len());
    for (key, answer) in &acknowledged {
        let id = stored.get(key).expect("an acknowledged order is there");
        assert!(answer.contains(id), "another order under {key}");
    }
}

/// Orders until the connection breaks; gives the key that got no answer, and the answers
/// that came whole.
async fn keep_ordering(
    addr: SocketAddr,
    phone: String,
    created: Arc<AtomicUsize>,
) -> (String, Vec<(String, String)>) {
    let mut acknowledged = Vec::new();
    loop {
        let key = format!("{phone}-{}", acknowledged.len());
        match order(addr, &key).await {
            Some(answer) => acknowledged.push((key, answer)),
            None => return (key, acknowledged),
        }
        created.fetch_add(1, Ordering::Relaxed);
    }
}

async fn order(addr: SocketAddr, key: &str) -> Option<String> {
    let headers = [("x-idempotency-key", key), ("x-fingerprint", "phone-1")];
    let body = dinner().to_string().into_bytes();
    let reply = send(addr, "POST", "/takeaway/v1/express/order", &headers, body)
        .await
        .ok()?;
    assert_eq!(reply.status, 201, "{}", reply.text());
    Some(reply.text())
}

async fn spawn(folder: &Path) -> (Process, SocketAddr) {
    let address = folder.join("address");
    // Left over from the process before.
    let _ = std::fs::remove_file(&address);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["durability::child", "--exact", "--ignored"])
        .env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let process = Process(command.spawn().unwrap());
    for _ in 0..500 {
        if let Ok(text) = std::fs::read_to_string(&address) {
            return (process, text.parse().unwrap());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the sandbox did not start");
}

/// The second one by mistake, perhaps a newer program that would begin its database anew.
#[tokio::test]
async fn a_sandbox_whose_address_is_taken_touches_no_database() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = sandbox::Options {
        listen: taken.local_addr().unwrap(),
        state_dir: folder.path().join("state"),
        seed: Some(seed()),
        ..sandbox::Options::default()
    };
    let refused = sandbox::start(options).await.err().unwrap();
    assert!(matches!(refused, sandbox::Error::Listen(..)), "{refused}");
    assert!(!folder.path().join("state").exists());
}
