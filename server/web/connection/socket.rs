//! A guest's TCP connection, watched: what comes passes [`Framing`], and a write that has to wait is noted.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::{framing::Framing, idle::Progress, refusal::Refusal};

/// More than this is not left with the kernel unsent: a slow reader's progress shows here, not megabytes later.
const UNSENT: u32 = 64 * 1024;

pub(super) struct Socket {
    stream: TcpStream,
    framing: Framing,
    progress: Progress,
    /// Once something was wrong: what the parser gets instead of the rest.
    instead: Option<&'static [u8]>,
    /// All answers before are written to their end.
    is_done: bool,
    /// The parser's own answer, while it is written.
    refusal: Option<Refusal>,
}

/// No request has a zero byte: hyper's parser answers `400` and closes. The line ends let it begin to parse.
const NO_REQUEST: &[u8] = b"\0\r\n\r\n";

impl Socket {
    /// `stall` is how long the other side may leave unacknowledged what was sent, or its window closed.
    pub(super) fn new(stream: TcpStream, progress: Progress, stall: Duration) -> Self {
        // Small answers must not wait for Nagle's timer. What the kernel refuses to set costs no connection.
        let _ = stream.set_nodelay(true);
        let options = SockRef::from(&stream);
        let _ = options.set_tcp_user_timeout(Some(stall));
        let _ = options.set_tcp_notsent_lowat(UNSENT);
        Self {
            stream,
            framing: Framing::new(),
            progress,
            instead: None,
            is_done: true,
            refusal: None,
        }
    }

    fn noted<T>(&self, polled: Poll<T>) -> Poll<T> {
        self.progress.wrote(polled.is_ready());
        polled
    }

    /// Whether these bytes are an answer of the parser's own: no request is under way, and nothing of another answer is
    /// left to be written, whose bytes may look like this.
    fn refuses(&mut self, bytes: &[u8]) -> bool {
        if self.refusal.is_none() && self.is_done {
            self.refusal = Refusal::of(bytes).filter(|_| !self.progress.is_asked());
            if self.refusal.is_some() {
                metrics::counter!("connections_cut_total", "cause" => "unreadable").increment(1);
            }
        }
        self.is_done = false;
        self.refusal.is_some()
    }

    /// Writes that answer with the headers of all others. Ready when it is whole.
    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        while let Some(refusal) = &mut self.refusal {
            let stream = Pin::new(&mut self.stream);
            let written = ready!(stream.poll_write(context, refusal.rest()))?;
            if written == 0 {
                break;
            }
            if let Some(length) = refusal.advance(written) {
                self.refusal = None;
                return Poll::Ready(Ok(length));
            }
        }
        Poll::Ready(Ok(0))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(instead) = &mut self.instead {
            fill(buffer, instead);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let came = buffer.filled().get(before..).unwrap_or_default();
        if let Some(place) = self.framing.check(came) {
            buffer.set_filled(before + place);
            fill(buffer, self.instead.insert(NO_REQUEST));
        }
        polled
    }
}

/// Moves as much as fits.
fn fill(buffer: &mut ReadBuf<'_>, from: &mut &'static [u8]) {
    let (now, later) = from.split_at(from.len().min(buffer.remaining()));
    buffer.put_slice(now);
    *from = later;
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = match self.refuses(bytes) {
            true => self.poll_refusal(context),
            false => Pin::new(&mut self.stream).poll_write(context, bytes),
        };
        self.noted(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        let first = filled.next().map_or(&[][..], |slice| &**slice);
        let only = filled.next().map_or(first, |_| &[]);
        let polled = match self.refuses(only) {
            true => self.poll_refusal(context),
            false => Pin::new(&mut self.stream).poll_write_vectored(context, slices),
        };
        self.noted(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // hyper comes here when all that it has is written.
        self.is_done = self.is_done || !self.progress.is_asked();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
