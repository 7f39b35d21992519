//! `llmjson playground`: serves the page to this machine, and answers it.
//!
//! Each connection has a thread and one request; what HTTP has beyond that is refused. Only requests for the
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
use http::{Method, Request, Response, TimedStream};

/// Maximum number of connections at once.
const CONNECTIONS_MAX: usize = 32;
/// Time for a request to come, and for an answer to be taken.
const TIMEOUT: Duration = Duration::from_secs(10);
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
    write_out(&address).map_err(|error| CommandError::new("standard output", error))?;
    tell("open the address above in a browser; Ctrl-C ends");
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

    fn response(&self, request: &Request) -> Response {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let Some(host) = hosts.iter().find(|host| request.host == **host) else {
            return Response::refused(403, "Forbidden");
        };
        let own = format!("http://{host}");
        if request.origin.as_ref().is_some_and(|origin| *origin != own) {
            return Response::refused(403, "Forbidden");
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let Some((secret, place)) = path.split_once('/') else {
            return Response::refused(404, "Not Found");
        };
        if secret != self.secret {
            return Response::refused(404, "Not Found");
        }
        match (request.method, place) {
            (Method::Get, "") => Response::ok("text/html; charset=utf-8", self.page.clone()),
            (Method::Post, "ask") if request.is_json => {
                let playground = self.playground.lock();
                let mut playground = playground.unwrap_or_else(PoisonError::into_inner);
                Response::ok("application/json", playground.ask(&request.body))
            }
            (Method::Post, "ask") => Response::refused(415, "Unsupported Media Type"),
            (_, "" | "ask") => Response::refused(405, "Method Not Allowed"),
            _ => Response::refused(404, "Not Found"),
        }
    }
}

fn serve(site: &Site, connection: TcpStream) -> io::Result<()> {
    let mut stream = TimedStream::new(connection, TIMEOUT);
    let response = match http::read(&mut stream) {
        Ok(request) => site.response(&request),
        Err(http::RequestError::Status(status, reason)) => Response::refused(status, reason),
        Err(http::RequestError::Gone) => return Ok(()),
    };
    // What was read took its time; writing has its own.
    http::write(&mut stream.renewed(TIMEOUT), &response)
}

/// Returns 128 random bits in hexadecimal: two hashes under keys that come from the operating system's source of
/// random numbers.
fn secret() -> String {
    let keys = RandomState::new();
    let [first, second] = [0_u8, 1].map(|number| keys.hash_one(number));
    format!("{first:016x}{second:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, path: &str, host: &str, origin: Option<&str>) -> Request {
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        let body = r#"{"ask": "read", "reply": "{a: 1}"}"#;
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{origin}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        http::read(&mut text.as_bytes()).unwrap_or_else(|_| panic!("it is a request: {text}"))
    }

    #[test]
    fn only_the_page_itself_is_answered() {
        let site = Site::new(8080);
        let ask = format!("/{}/ask", site.secret);
        let status = |method, path: &str, host, origin| {
            site.response(&request(method, path, host, origin)).status
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
    fn secrets_differ() {
        assert_ne!(secret(), secret());
        assert_eq!(secret().len(), 32);
    }
}
