//! A tiny HTTP client: one connection per request, so that resets and cut
//! bodies are seen as they are.

use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// An answer with its whole body.
pub struct Reply {
    pub status: u16,
    pub content_type: String,
    pub location: String,
    pub bytes: Bytes,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| {
            panic!(
                "no JSON ({error}): {}",
                String::from_utf8_lossy(&self.bytes)
            )
        })
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The code of a refusal.
    pub fn code(&self) -> String {
        self.json()["errors"][0]["code"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    }
}

/// Sends one request; an error is a broken connection.
pub async fn send(
    addr: SocketAddr,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Result<Reply, String> {
    let stream = TcpStream::connect(addr)
        .await
        .map_err(|error| error.to_string())?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    let task = tokio::spawn(connection);
    let uri: Uri = target.parse().unwrap();
    let mut request = Request::builder()
        .method(method)
        .uri(uri)
        .header("host", addr.to_string());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body))).unwrap();
    let response = sender
        .send_request(request)
        .await
        .map_err(|error| error.to_string())?;
    let header = |name: &str| {
        let value = response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok());
        value.unwrap_or("").to_owned()
    };
    let (status, content_type, location) = (
        response.status().as_u16(),
        header("content-type"),
        header("location"),
    );
    let body = response
        .into_body()
        .collect()
        .await
        .map_err(|error| error.to_string())?;
    drop(sender);
    task.abort();
    Ok(Reply {
        status,
        content_type,
        location,
        bytes: body.to_bytes(),
    })
}
