//! A state of its own for each test, in either engine.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use dastarkhan::{
    keys::seal::{Keys, random_name},
    state::{Options, State, clock::Clock},
};

use crate::free_port::free_port;

/// 2026-11-21.
pub const NOW: i64 = 1_795_219_200_000;

/// A state that is removed at the end, with one secret and a clock that tests move.
pub struct Fixture {
    pub dir: PathBuf,
    pub keys: Keys,
    pub clock: Clock,
    /// A server of its own, that of our slot in a cluster; none: SQLite.
    pub server: Option<Server>,
    /// Another node of the cluster, by which it is found.
    node: Option<Server>,
}

impl Fixture {
    /// In SQLite.
    pub fn new() -> Self {
        Self {
            dir: std::env::temp_dir().join(format!("dastarkhan-{}", random_name())),
            keys: Keys::random(),
            clock: Clock::manual(NOW),
            server: None,
            node: None,
        }
    }

    /// In Redis.
    pub fn shared() -> Self {
        let mut fixture = Self::new();
        std::fs::create_dir(&fixture.dir).unwrap();
        fixture.server = Some(Server::start(&fixture.dir));
        fixture
    }

    /// In a cluster, found by a node that has nothing of ours.
    pub fn cluster() -> Self {
        let mut fixture = Self::new();
        std::fs::create_dir(&fixture.dir).unwrap();
        let [node, server] = cluster(&fixture.dir);
        (fixture.node, fixture.server) = (Some(node), Some(server));
        fixture
    }

    pub fn options(&self) -> Options {
        Options {
            dir: self.dir.clone(),
            url: self.url(),
            keys: self.keys.clone(),
            clock: self.clock.clone(),
        }
    }

    fn url(&self) -> Option<String> {
        match &self.node {
            Some(node) => Some(node.url().replace("redis://", "redis+cluster://")),
            None => self.server.as_ref().map(Server::url),
        }
    }

    /// One server process more on the same state.
    pub async fn open(&self) -> State {
        State::open(self.options()).await.unwrap()
    }

    /// A connection beside the server's, to look at the rows or to disturb them.
    pub fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.dir.join("state.sqlite")).unwrap()
    }

    /// The same for Redis.
    pub fn line(&self) -> redis::Connection {
        let server = self.server.as_ref().unwrap();
        server.client().get_connection().unwrap()
    }

    /// Names of records: `sessions`, `carts` or `idempotency`.
    pub fn names(&self, table: &str) -> Vec<String> {
        let pattern = format!("{{dk}}:{}:*", table.trim_end_matches('s'));
        redis::cmd("KEYS")
            .arg(pattern)
            .query(&mut self.line())
            .unwrap()
    }

    pub fn count(&self, table: &str) -> i64 {
        if self.server.is_some() {
            return i64::try_from(self.names(table).len()).unwrap();
        }
        self.database()
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .unwrap()
    }

    /// Writes one field of all records of a table over, as another program might.
    pub fn overwrite(&self, table: &str, field: &str, value: &str) {
        if self.server.is_none() {
            let sql = format!("UPDATE {table} SET {field} = ?");
            self.database().execute(&sql, [value]).unwrap();
        } else {
            for name in self.names(table) {
                let mut set = redis::cmd("HSET");
                set.arg(name).arg(field).arg(value);
                set.exec(&mut self.line()).unwrap();
            }
        }
    }

    /// Gives all sessions what one of them holds.
    pub fn copy_one_session_to_all(&self) {
        if self.server.is_none() {
            let copy = "UPDATE sessions SET data = (SELECT data FROM sessions ORDER BY id LIMIT 1)";
            return self.database().execute_batch(copy).unwrap();
        }
        let names = self.names("sessions");
        let mut line = self.line();
        let mut get = redis::cmd("HGET");
        let data: Vec<u8> = get.arg(&names[0]).arg("data").query(&mut line).unwrap();
        for name in names {
            let mut set = redis::cmd("HSET");
            set.arg(name).arg("data").arg(&data);
            set.exec(&mut line).unwrap();
        }
    }

    /// Whether anything that is stored holds these bytes.
    pub fn holds(&self, needle: &str) -> bool {
        let needle = needle.as_bytes();
        let is_in = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        if self.server.is_none() {
            return files(&self.dir)
                .iter()
                .any(|file| is_in(&std::fs::read(file).unwrap()));
        }
        let mut line = self.line();
        let names: Vec<Vec<u8>> = redis::cmd("KEYS").arg("*").query(&mut line).unwrap();
        let dumps = names.iter().map(|name| {
            // What it holds, as the server would write it to another one; it packs nothing that is as short.
            let hash: redis::RedisResult<Vec<Vec<u8>>> =
                redis::cmd("HGETALL").arg(name).query(&mut line);
            hash.unwrap_or_default().concat()
        });
        let dumps: Vec<_> = dumps.collect();
        names.iter().chain(&dumps).any(|bytes| is_in(bytes))
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        drop((self.server.take(), self.node.take()));
        // It may never have been made.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap();
    entries
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// A real server, ended by its id.
pub struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// On a socket in a folder.
    pub fn start(dir: &Path) -> Self {
        let socket = dir.join("redis.sock");
        let path = socket.display().to_string();
        let url = format!("redis+unix://{path}");
        Self::run(url, &["--port", "0", "--save", "", "--unixsocket", &path])
    }

    /// On a port, with more that it is told.
    pub fn at(port: u16, more: &[&str]) -> Self {
        let url = format!("redis://127.0.0.1:{port}");
        let port = port.to_string();
        let own = ["--bind", "127.0.0.1", "--port", &port, "--save", ""];
        Self::run(url, &[&own, more].concat())
    }

    /// One that knows which server is the primary named `food`, on a port.
    pub fn sentinel(dir: &Path, port: u16, primary: u16) -> Self {
        let file = dir.join("sentinel.conf");
        let config = format!(
            "bind 127.0.0.1\nport {port}\nsentinel monitor food 127.0.0.1 {primary} 1\n\
             sentinel down-after-milliseconds food 500\nsentinel failover-timeout food 3000\n"
        );
        std::fs::write(&file, config).unwrap();
        let url = format!("redis://127.0.0.1:{port}");
        Self::run(url, &[&file.display().to_string(), "--sentinel"])
    }

    fn run(url: String, args: &[&str]) -> Self {
        let process = Command::new("redis-server")
            .args(args)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server: apt-get install -y redis-server");
        let server = Self { process, url };
        eventually("it takes calls", || {
            redis::cmd("PING")
                .exec(&mut server.client().get_connection().ok()?)
                .ok()
        });
        server
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    pub fn client(&self) -> redis::Client {
        redis::Client::open(&*self.url).unwrap()
    }

    /// STOP and CONT freeze it and let it go on.
    pub fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let done = Command::new("kill").args(["-s", name, &id]).status();
        assert!(done.unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Nodes that share the slots, the second of them with ours.
fn cluster(dir: &Path) -> [Server; 2] {
    // What they would agree on by themselves takes them seconds.
    let ports: [u16; 4] = std::array::from_fn(|_| free_port());
    let id = |node: usize| format!("{:040x}", node + 1);
    let nodes: [Server; 2] = std::array::from_fn(|node| {
        let known: String = (0..2)
            .map(|other| {
                let flags = if other == node {
                    "myself,master"
                } else {
                    "master"
                };
                let (port, bus) = (ports[other], ports[other + 2]);
                let slots = ["8192-16383", "0-8191"][other];
                format!(
                    "{} 127.0.0.1:{port}@{bus} {flags} - 0 0 {} connected {slots}\n",
                    id(other),
                    other + 1
                )
            })
            .collect();
        let folder = dir.join(format!("node{node}"));
        std::fs::create_dir(&folder).unwrap();
        let vars = "vars currentEpoch 2 lastVoteEpoch 0\n";
        std::fs::write(folder.join("nodes.conf"), known + vars).unwrap();
        let (folder, bus) = (folder.display().to_string(), ports[node + 2].to_string());
        let more = [
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            &bus,
            "--dir",
            &folder,
        ];
        Server::at(ports[node], &more)
    });
    for node in &nodes {
        eventually("the cluster works", || {
            let mut line = node.client().get_connection().ok()?;
            let info: String = redis::cmd("CLUSTER").arg("INFO").query(&mut line).ok()?;
            info.contains("cluster_state:ok").then_some(())
        });
    }
    let mut slot = redis::cmd("CLUSTER");
    slot.arg("KEYSLOT").arg("{dk}:");
    let mut line = nodes[1].client().get_connection().unwrap();
    assert_eq!(slot.query::<u16>(&mut line).unwrap(), 6691);
    nodes
}

/// What comes in time.
pub fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
