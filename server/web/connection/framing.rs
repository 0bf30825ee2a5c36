//! What of HTTP/1 hyper's parser takes and a proxy in front may read otherwise: lines that end with a bare LF, and
//! bodies whose length is told twice or unclearly. Where two readers can disagree about where a request ends, one can be
//! smuggled inside another.
//!
//! It only watches the bytes pass; what it finds wrong is answered by hyper with `400` and the end of the connection.

/// Longer lines are for hyper to refuse: its buffer ends there.
const LONGEST_LINE: usize = 64 * 1024;
/// How HTTP/2 begins.
const HTTP2: &[u8] = b"PRI * HTTP/2.0";

/// Where in the stream of one connection we are.
#[derive(Debug)]
pub(super) struct Framing {
    part: Part,
    head: Head,
    /// The line so far, when it came in chunks.
    line: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Before the request line.
    Start,
    Headers,
    /// Bytes of the body that are still to come.
    Body(u64),
    ChunkSize,
    /// Bytes of the chunk and its line end.
    Chunk(u64),
    Trailers,
    /// HTTP/2, which has frames.
    Frames,
    Refused,
}

/// What the headers say of the body.
#[derive(Debug, Default)]
struct Head {
    length: Option<u64>,
    chunked: bool,
}

/// Not what a request may look like.
#[derive(Debug)]
struct Wrong;

impl Framing {
    pub(super) fn new() -> Self {
        Self {
            part: Part::Start,
            head: Head::default(),
            line: Vec::new(),
        }
    }

    /// The place of the first byte that may not stand where it does. After one, all is.
    pub(super) fn check(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            match self.part {
                Part::Frames => return None,
                Part::Refused => return Some(at),
                Part::Body(left) => at += self.skip(rest, left, Part::Body, Part::Start),
                Part::Chunk(left) => at += self.skip(rest, left, Part::Chunk, Part::ChunkSize),
                Part::Start | Part::Headers | Part::ChunkSize | Part::Trailers => {
                    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                        self.line.extend_from_slice(rest);
                        if self.line.len() > LONGEST_LINE {
                            // hyper has refused it by now.
                            self.line.clear();
                        }
                        return None;
                    };
                    let chunk = rest.get(..end).unwrap_or_default();
                    let mut line = std::mem::take(&mut self.line);
                    let done = if line.is_empty() {
                        self.take(chunk)
                    } else {
                        line.extend_from_slice(chunk);
                        self.take(&line)
                    };
                    if done.is_err() {
                        self.part = Part::Refused;
                        return Some(at + end);
                    }
                    at += end + 1;
                }
            }
        }
        None
    }

    /// Passes over bytes of a body; tells how many.
    fn skip(&mut self, rest: &[u8], left: u64, more: fn(u64) -> Part, then: Part) -> usize {
        let there = usize::try_from(left).map_or(rest.len(), |left| left.min(rest.len()));
        let left = left - there as u64;
        self.part = if left == 0 { then } else { more(left) };
        there
    }

    /// One line without its LF.
    fn take(&mut self, line: &[u8]) -> Result<(), Wrong> {
        let line = line.strip_suffix(b"\r").ok_or(Wrong)?;
        if line.contains(&b'\r') {
            return Err(Wrong);
        }
        self.part = match self.part {
            // Some clients end a body with an empty line too many.
            Part::Start if line.is_empty() => Part::Start,
            Part::Start if line == HTTP2 => Part::Frames,
            Part::Start => {
                self.head = Head::default();
                Part::Headers
            }
            Part::Headers if line.is_empty() => self.head.body()?,
            Part::Headers => {
                self.head.add(line)?;
                Part::Headers
            }
            Part::ChunkSize => match chunk_size(line)? {
                0 => Part::Trailers,
                size => Part::Chunk(size.checked_add(2).ok_or(Wrong)?),
            },
            Part::Trailers if line.is_empty() => Part::Start,
            part => part,
        };
        Ok(())
    }
}

impl Head {
    fn add(&mut self, line: &[u8]) -> Result<(), Wrong> {
        let colon = line.iter().position(|byte| *byte == b':').ok_or(Wrong)?;
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"content-length") {
            let text = std::str::from_utf8(value).map_err(|_| Wrong)?;
            if self.length.is_some() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Wrong);
            }
            self.length = Some(text.parse().map_err(|_| Wrong)?);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            if self.chunked || !value.eq_ignore_ascii_case(b"chunked") {
                return Err(Wrong);
            }
            self.chunked = true;
        }
        Ok(())
    }

    fn body(&self) -> Result<Part, Wrong> {
        match (self.chunked, self.length) {
            (true, Some(_)) => Err(Wrong),
            (true, None) => Ok(Part::ChunkSize),
            (false, None | Some(0)) => Ok(Part::Start),
            (false, Some(length)) => Ok(Part::Body(length)),
        }
    }
}

/// Hexadecimal digits, and extensions, which are ignored.
fn chunk_size(line: &[u8]) -> Result<u64, Wrong> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or_default();
    let text = std::str::from_utf8(digits.trim_ascii_end()).map_err(|_| Wrong)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Wrong);
    }
    u64::from_str_radix(text, 16).map_err(|_| Wrong)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const POST: &str = "POST /a HTTP/1.1\r\nHost: a\r\n";

    fn wrong(text: &str) -> Option<usize> {
        Framing::new().check(text.as_bytes())
    }

    #[test]
    fn requests_as_clients_send_them_pass() {
        for text in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            &format!("{POST}Content-Length: 3\r\n\r\na\nb\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
            &format!(
                "{POST}Transfer-Encoding: chunked\r\n\r\n2;x=1\r\n\n\n\r\n0\r\nx: y\r\n\r\nGET / HTTP/1.1\r\n\r\n"
            ),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n",
        ] {
            assert_eq!(wrong(text), None, "{text}");
        }
    }

    #[test]
    fn what_two_readers_can_read_in_two_ways_is_refused() {
        for text in [
            "GET / HTTP/1.1\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
            &format!("{POST}Transfer-Encoding: identity\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: identity, chunked\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"),
            &format!("{POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"),
            &format!("{POST}Content-Length: 3\r\nContent-Length: 4\r\n\r\n"),
            &format!("{POST}Content-Length: +3\r\n\r\n"),
            &format!("{POST}Content-Length: 3, 3\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: chunked\r\n\r\n2\nab\r\n0\r\n\r\n"),
            &format!("{POST}Transfer-Encoding: chunked\r\n\r\n0x2\r\nab\r\n0\r\n\r\n"),
            &format!("{POST}Content-Length: 1\r\n\r\naGET / HTTP/1.1\nHost: a\r\n\r\n"),
        ] {
            assert!(wrong(text).is_some(), "{text}");
        }
    }

    proptest! {
        /// However the bytes come, the same one is wrong.
        #[test]
        fn the_pieces_in_which_it_comes_do_not_matter(
            text in "(GET / HTTP/1.1|Host: a|Content-Length: 2|Transfer-Encoding: chunked|2|ab|0|\r\n|\r\n|\r\n|\n){0,24}",
            size in 1_usize..9,
        ) {
            let whole = wrong(&text);
            let mut framing = Framing::new();
            let mut at = 0;
            let mut found = None;
            for chunk in text.as_bytes().chunks(size) {
                found = framing.check(chunk).map(|place| at + place);
                if found.is_some() {
                    break;
                }
                at += chunk.len();
            }
            prop_assert_eq!(found, whole);
        }
    }
}
