//! A state of its own for each test, in either engine.

use std::{
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use dastarkhan::{
    keys::seal::{Keys, random_name},
    state::{Options, State, clock::Clock},
};

/// 2026-11-21.
pub const NOW: i64 = 1_795_219_200_000;

/// A state that is removed at the end, with one secret and a clock that tests move.
pub struct Fixture {
    pub dir: PathBuf,
    pub keys: Keys,
    pub clock: Clock,
    /// A server of its own; none: SQLite.
    pub server: Option<Server>,
}

impl Fixture {
    /// In SQLite.
    pub fn new() -> Self {
        Self {
            dir: std::env::temp_dir().join(format!("dastarkhan-{}", random_name())),
            keys: Keys::random(),
            clock: Clock::manual(NOW),
            server: None,
        }
    }

    /// In Redis.
    pub fn shared() -> Self {
        let mut fixture = Self::new();
        std::fs::create_dir(&fixture.dir).unwrap();
        fixture.server = Some(Server::start(&fixture.dir));
        fixture
    }

    pub fn options(&self) -> Options {
        Options {
            dir: self.dir.clone(),
            url: self.server.as_ref().map(Server::url),
            keys: self.keys.clone(),
            clock: self.clock.clone(),
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
        let client = redis::Client::open(self.server.as_ref().unwrap().url()).unwrap();
        client.get_connection().unwrap()
    }

    /// Names of records: `sessions`, `carts` or `idempotency`.
    pub fn names(&self, table: &str) -> Vec<String> {
        let pattern = format!("dk:{}:*", table.trim_end_matches('s'));
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
        drop(self.server.take());
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

/// A real server on a socket in a folder, ended by its id.
pub struct Server {
    process: Child,
    socket: PathBuf,
}

impl Server {
    pub fn start(dir: &Path) -> Self {
        let socket = dir.join("redis.sock");
        let process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server: apt-get install -y redis-server");
        let began = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "it takes no calls"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        Self { process, socket }
    }

    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.socket.display())
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
