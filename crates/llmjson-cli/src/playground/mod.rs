//! `llmjson playground`: serves the page to this machine, and answers it.
//!
//! Each connection has a thread and one request; other HTTP features are refused. Only requests for the
//! loopback address by its own name, from the page itself, with the secret of this run in the path are answered: a
//! page of another site, in the same browser, has neither.

mod http;

use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use llmjson_playground::{
    Playground,
    page::{Engine, page},
};

use crate::args::PlaygroundArgs;
use crate::input::CommandError;
use crate::terminal::{tell, write_out};
use http::{Head, Method, RequestError, Response, TimedStream};

/// Maximum number of connections at once.
const CONNECTIONS_MAX: usize = 32;
/// Time for a request to come, and for an answer to be taken.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time in which what was not read of a refused request is passed over.
const LINGER: Duration = Duration::from_secs(2);
/// Pause after a connection could not be accepted, as when there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until the process is ended.
pub(crate) fn run(args: &PlaygroundArgs) -> Result<Infallible, CommandError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let failed = |error: io::Error| CommandError::new(&address.to_string(), error);
    let listener = TcpListener::bind(address).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let site = Arc::new(Site::new(port));
    let address = format!("http://127.0.0.1:{port}/{}/\n", site.secret);
    write_out(&address)?;
    tell("open this address in a browser; press Ctrl-C to stop");
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((connection, _)) = listener.accept() else {
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        // A connection too many is closed at once.
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (site, counted) = (Arc::clone(&site), Counted(Arc::clone(&open)));
        let thread = thread::Builder::new().spawn(move || {
            let _counted = counted;
            // An error means that the client closed the connection before the answer, which is its choice.
            drop(serve(&site, connection));
        });
        // Without a thread the connection is closed, and counted no more, as the closure goes.
        drop(thread);
    }
}

/// One of the connections that are open.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The page and its secret, as served.
struct Site {
    secret: String,
    port: u16,
    page: String,
    playground: Mutex<Playground>,
}

impl Site {
    fn new(port: u16) -> Self {
        Self {
            secret: secret(),
            port,
            page: page(Engine::Server),
            playground: Mutex::default(),
        }
    }

    /// Returns the question of a head, or the answer if the head is sufficient.
    fn asked(&self, head: &Head) -> Result<Asked, Response> {
        let refused = |status, reason| Err(Response::refused(status, reason));
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let Some(host) = hosts.iter().find(|host| head.host == **host) else {
            return refused(403, "Forbidden");
        };
        let own = format!("http://{host}");
        if head.origin.as_ref().is_some_and(|origin| *origin != own) {
            return refused(403, "Forbidden");
        }
        let path = head.path.strip_prefix('/').unwrap_or_default();
        let Some((_, place)) = (path.split_once('/')).filter(|(secret, _)| *secret == self.secret)
        else {
            return refused(404, "Not Found");
        };
        match (head.method, place) {
            (Method::Get, "") => Ok(Asked::Page),
            (Method::Post, "ask") if head.is_json => Ok(Asked::Question),
            (Method::Post, "ask") => refused(415, "Unsupported Media Type"),
            (_, "" | "ask") => refused(405, "Method Not Allowed"),
            _ => refused(404, "Not Found"),
        }
    }

    /// Asks the engine, which is taken out meanwhile: during a slow question, other questions are answered by a new
    /// engine, which compiles its schemas again.
    fn ask<T>(&self, ask: impl FnOnce(&mut Playground) -> T) -> T {
        let engine = || {
            self.playground
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let mut playground = std::mem::take(&mut *engine());
        let answer = ask(&mut playground);
        *engine() = playground;
        answer
    }
}

/// The question of a request that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Page,
    Question,
}

fn serve(site: &Site, connection: TcpStream) -> io::Result<()> {
    let mut stream = TimedStream::new(connection, TIMEOUT);
    let response = match answer(site, &mut stream) {
        Ok(response) => response,
        Err(RequestError::Status(status, reason)) => Response::refused(status, reason),
        Err(RequestError::Gone) => return Ok(()),
    };
    // The answer has its own time limit.
    let mut stream = stream.renewed(TIMEOUT);
    http::write(&mut stream, &response)?;
    match response.status {
        200 => Ok(()),
        _ => stream.end(LINGER),
    }
}

fn answer(site: &Site, stream: &mut TimedStream) -> Result<Response, RequestError> {
    let head = http::read(stream)?;
    Ok(match site.asked(&head) {
        Ok(Asked::Page) => Response::ok("text/html; charset=utf-8", site.page.clone()),
        Ok(Asked::Question) => {
            let question = head.read_body(stream)?;
            let answer = site.ask(|playground| playground.ask(&question));
            Response::ok("application/json", answer)
        }
        Err(refused) => refused,
    })
}

/// Returns 128 random bits in hexadecimal: two hashes with keys from the operating system's random number
/// generator.
fn secret() -> String {
    let keys = RandomState::new();
    let [first, second] = [0_u8, 1].map(|number| keys.hash_one(number));
    format!("{first:016x}{second:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of a request alone: its body never comes.
    fn head(method: &str, path: &str, host: &str, origin: Option<&str>) -> Head {
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{origin}Content-Type: application/json\r\n\
             Content-Length: 60000000\r\n\r\n"
        );
        http::read(&mut text.as_bytes()).unwrap_or_else(|_| panic!("it is a request: {text}"))
    }

    #[test]
    fn only_the_page_itself_is_answered() {
        let site = Site::new(8080);
        let ask = format!("/{}/ask", site.secret);
        let status = |method, path: &str, host, origin| {
            let asked = site.asked(&head(method, path, host, origin));
            asked.map_or_else(|refused| refused.status, |_| 200)
        };
        let (host, own) = ("127.0.0.1:8080", "http://127.0.0.1:8080");
        assert_eq!(status("POST", &ask, host, Some(own)), 200);
        assert_eq!(status("POST", &ask, "localhost:8080", None), 200);
        assert_eq!(status("POST", &ask, "evil.example:8080", None), 403);
        assert_eq!(status("POST", &ask, "127.0.0.1", None), 403);
        assert_eq!(status("POST", &ask, host, Some("http://evil.example")), 403);
        assert_eq!(status("POST", &ask, host, Some("null")), 403);
        assert_eq!(
            status("POST", &ask, host, Some("http://localhost:8080")),
            403
        );
        assert_eq!(status("GET", &ask, host, None), 405);
        for path in ["/", "/ask", "//ask", "/0/ask", "/0/"] {
            assert_eq!(status("GET", path, host, None), 404, "{path}");
        }
        let page = format!("/{}/", site.secret);
        assert_eq!(status("GET", &page, host, None), 200);
        assert_eq!(status("GET", &format!("{page}../x"), host, None), 404);
    }

    #[test]
    fn no_question_waits_for_another_one() {
        let site = Site::new(8080);
        let question = r#"{"ask": "read", "reply": "{a: 1}"}"#;
        let answer = site.ask(|_| site.ask(|playground| playground.ask(question)));
        assert!(answer.contains(r#""ok":true"#), "{answer}");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(secret(), secret());
        assert_eq!(secret().len(), 32);
    }
}
