//! The part of HTTP/1.1 that one page needs: a request, its answer, and the end of the connection.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Maximum length of the lines before the body.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Maximum length of the body: replies are no longer than 10 MB, and JSON writes some characters as six.
const BODY_BYTES_MAX: usize = 64_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
}

/// A request before its body, which is read only if the answer depends on it.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) host: String,
    pub(super) origin: Option<String>,
    pub(super) is_json: bool,
    length: usize,
    /// The part of the body that came with the head.
    begun: Vec<u8>,
}

/// The reason for which there is no request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestError {
    /// The request is answered by this status.
    Status(u16, &'static str),
    /// The connection was closed, or no request came in time.
    Gone,
}

impl From<io::Error> for RequestError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

const BAD: RequestError = RequestError::Status(400, "Bad Request");
const TOO_LARGE: RequestError = RequestError::Status(413, "Content Too Large");

/// Reads a request up to its body.
pub(super) fn read(input: &mut impl Read) -> Result<Head, RequestError> {
    let (head, begun) = read_head(input)?;
    let head = String::from_utf8(head).map_err(|_| BAD)?;
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let [Some(method), Some(path), Some("HTTP/1.1"), None] = std::array::from_fn(|_| words.next())
    else {
        return Err(BAD);
    };
    let method = match method {
        "GET" => Method::Get,
        "POST" => Method::Post,
        _ => return Err(RequestError::Status(405, "Method Not Allowed")),
    };
    let mut fields = Fields::default();
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or(BAD)?;
        fields.take(&name.to_ascii_lowercase(), value.trim())?;
    }
    let length = fields.length.unwrap_or(0);
    if length > BODY_BYTES_MAX {
        return Err(TOO_LARGE);
    }
    Ok(Head {
        method,
        path: path.to_owned(),
        host: fields.host.ok_or(BAD)?,
        origin: fields.origin,
        is_json: fields.is_json,
        length,
        begun,
    })
}

impl Head {
    /// Reads the body.
    pub(super) fn read_body(self, input: &mut impl Read) -> Result<String, RequestError> {
        let (mut body, length) = (self.begun, self.length);
        let missing = length.checked_sub(body.len()).ok_or(BAD)?;
        // Memory grows with the bytes that arrive, not with the announced length.
        input.take(missing as u64).read_to_end(&mut body)?;
        if body.len() < length {
            return Err(RequestError::Gone);
        }
        String::from_utf8(body).map_err(|_| BAD)
    }
}

/// The relevant fields of a head. A head that repeats a field is refused: attacks exploit that some HTTP parsers
/// use the first and others the last.
#[derive(Default)]
struct Fields {
    host: Option<String>,
    origin: Option<String>,
    length: Option<usize>,
    is_json: bool,
}

impl Fields {
    fn take(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let twice = match name {
            "host" => self.host.replace(value.to_owned()).is_some(),
            "origin" => self.origin.replace(value.to_owned()).is_some(),
            "content-length" => {
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse().ok().filter(|_| digits);
                self.length.replace(length.ok_or(BAD)?).is_some()
            }
            "content-type" => {
                let kind = value.split(';').next().unwrap_or_default().trim();
                self.is_json = kind.eq_ignore_ascii_case("application/json");
                false
            }
            "transfer-encoding" => return Err(RequestError::Status(411, "Length Required")),
            _ => false,
        };
        match twice {
            true => Err(BAD),
            false => Ok(()),
        }
    }
}

/// Reads up to the empty line. The rest of the bytes belongs to the body.
fn read_head(input: &mut impl Read) -> Result<(Vec<u8>, Vec<u8>), RequestError> {
    let (mut head, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let length = input.read(&mut piece)?;
        if length == 0 {
            return Err(RequestError::Gone);
        }
        let from = head.len().saturating_sub(3);
        head.extend_from_slice(&piece[..length]);
        let end = head[from..].windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(end) = end {
            let body = head.split_off(from + end + 4);
            return Ok((head, body));
        }
        if head.len() > HEAD_BYTES_MAX {
            return Err(RequestError::Status(431, "Request Header Fields Too Large"));
        }
    }
}

#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    reason: &'static str,
    kind: &'static str,
    body: String,
}

impl Response {
    pub(super) fn ok(kind: &'static str, body: String) -> Self {
        Self {
            status: 200,
            reason: "OK",
            kind,
            body,
        }
    }

    pub(super) fn refused(status: u16, reason: &'static str) -> Self {
        Self {
            status,
            reason,
            kind: "text/plain; charset=utf-8",
            body: format!("{reason}\n"),
        }
    }
}

/// Writes the answer, with headers that forbid to cache it, to show it in a frame and to send its address on.
pub(super) fn write(output: &mut impl Write, response: &Response) -> io::Result<()> {
    let Response {
        status,
        reason,
        kind,
        body,
    } = response;
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nContent-Security-Policy: frame-ancestors 'none'\r\n\r\n",
        body.len()
    );
    output.write_all(head.as_bytes())?;
    output.write_all(body.as_bytes())?;
    output.flush()
}

/// A connection on which everything together has a limited time, however slowly it comes.
pub(super) struct TimedStream {
    stream: TcpStream,
    end: Instant,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, time: Duration) -> Self {
        let end = Instant::now() + time;
        Self { stream, end }
    }

    pub(super) fn renewed(self, time: Duration) -> Self {
        Self::new(self.stream, time)
    }

    /// Ends the connection after an answer to a request that was not read completely. The rest of the request is
    /// skipped, since closing immediately would discard the answer before the client has read it.
    pub(super) fn end(self, time: Duration) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)?;
        let rest = &mut self.renewed(time).take(BODY_BYTES_MAX as u64);
        io::copy(rest, &mut io::sink()).map(drop)
    }

    fn rest(&self) -> io::Result<Option<Duration>> {
        let rest = self.end.saturating_duration_since(Instant::now());
        match rest.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(Some(rest)),
        }
    }
}

impl Read for TimedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.rest()?)?;
        self.stream.read(buffer)
    }
}

impl Write for TimedStream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.rest()?)?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> RequestError {
        let mut input = text.as_bytes();
        let body = read(&mut input).and_then(|head| head.read_body(&mut input));
        body.expect_err(text)
    }

    #[test]
    fn requests_are_read() {
        let text = "POST /a/ask HTTP/1.1\r\nHost: h:1\r\ncontent-length: 2\r\nContent-Type: Application/JSON; charset=utf-8\r\n\r\n{}";
        let mut input = text.as_bytes();
        let head = read(&mut input).expect("a request");
        assert_eq!((head.method, head.path.as_str()), (Method::Post, "/a/ask"));
        assert_eq!(head.host, "h:1");
        assert!(head.is_json && head.origin.is_none());
        assert_eq!(head.read_body(&mut input), Ok("{}".to_owned()));
    }

    #[test]
    fn what_is_no_plain_request_is_refused() {
        let bad = RequestError::Status(400, "Bad Request");
        for text in [
            "GET /\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: h\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nHost: g\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nOrigin: a\r\norigin: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost h\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: +2\r\n\r\nab",
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nabc",
        ] {
            assert_eq!(refused(text), bad, "{text:?}");
        }
        let status = |text: &str| match refused(text) {
            RequestError::Status(status, _) => status,
            RequestError::Gone => 0,
        };
        assert_eq!(status("PUT / HTTP/1.1\r\nHost: h\r\n\r\n"), 405);
        assert_eq!(
            status("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"),
            411
        );
        assert_eq!(
            status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n"),
            413
        );
        assert_eq!(
            status(&format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(30_000))),
            431
        );
        assert_eq!(
            status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"),
            0
        );
        assert_eq!(status(""), 0);
    }
}
