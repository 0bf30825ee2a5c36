//! What was acknowledged survives a killed process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::client::send;
use crate::fixture::seed;
use crate::support::dinner;

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
async fn an_acknowledged_order_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<(String, String)> = Vec::new();
    for round in 0..4 {
        let (process, addr) = spawn(folder.path()).await;
        let deadline = Duration::from_millis(120 + 90 * round);
        let orders: Vec<_> = (0..8)
            .map(|phone| tokio::spawn(keep_ordering(addr, format!("{round}-{phone}"))))
            .collect();
        tokio::time::sleep(deadline).await;
        drop(process);
        for phone in orders {
            acknowledged.extend(phone.await.unwrap());
        }
    }
    assert!(acknowledged.len() > 8, "only {} orders", acknowledged.len());
    let (process, addr) = spawn(folder.path()).await;
    for (key, answer) in &acknowledged {
        let again = order(addr, key).await.expect("the sandbox answers");
        assert_eq!(&again, answer, "the order of {key} is another one");
    }
    drop(process);
    let database = rusqlite::Connection::open(folder.path().join("sandbox.sqlite3")).unwrap();
    let healthy: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(healthy, "ok");
    let doubled: i64 = database
        .query_row(
            "SELECT COUNT(*) - COUNT(DISTINCT idempotency_key) FROM orders",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(doubled, 0);
}

/// Orders until the connection breaks; gives the answers that came whole.
async fn keep_ordering(addr: SocketAddr, phone: String) -> Vec<(String, String)> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let key = format!("{phone}-{number}");
        match order(addr, &key).await {
            Some(answer) => acknowledged.push((key, answer)),
            None => break,
        }
    }
    acknowledged
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
