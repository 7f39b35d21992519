//! A server on this machine that answers one request after another by a script.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One step of an answer. After the last one the connection is closed.
#[derive(Clone)]
pub(crate) enum Act {
    Send(Vec<u8>),
    /// One byte at a time.
    Drip(Vec<u8>),
    /// As a chunk of a chunked body; an empty one is the last.
    Chunk(Vec<u8>),
    /// The same bytes again and again, until the client closes the connection.
    Endless(Vec<u8>),
    /// Nothing, until the client leaves.
    Stall,
}

impl Act {
    pub(crate) fn head(status: &str, headers: &str) -> Self {
        Self::Send(
            format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n\r\n").into_bytes(),
        )
    }

    pub(crate) fn events() -> Self {
        Self::head("200 OK", "content-type: text/event-stream")
    }

    pub(crate) fn chunked_events() -> Self {
        Self::head(
            "200 OK",
            "content-type: text/event-stream\r\ntransfer-encoding: chunked",
        )
    }

    pub(crate) fn json(status: &str, body: &str) -> Self {
        let length = body.len();
        let head = format!("content-type: application/json\r\ncontent-length: {length}");
        let Self::Send(mut bytes) = Self::head(status, &head) else {
            unreachable!("a head is sent");
        };
        bytes.extend_from_slice(body.as_bytes());
        Self::Send(bytes)
    }
}

/// Answers until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<String>>,
    over: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn new(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            seen: Arc::default(),
            over: Arc::default(),
        };
        let (seen, over) = (Arc::clone(&server.seen), Arc::clone(&server.over));
        thread::spawn(move || {
            for connection in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (acts, seen) = (acts.clone(), Arc::clone(&seen));
                // A client that leaves in the middle is what half of the tests are about.
                thread::spawn(move || answer(connection?, &acts, &seen));
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }

    /// The last request.
    pub(crate) fn seen(&self) -> String {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes it up, so that it sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

/// Returns a port on which no server listens.
pub(crate) fn closed_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn answer(mut connection: TcpStream, acts: &[Act], seen: &Mutex<String>) -> std::io::Result<()> {
    connection.set_nodelay(true)?;
    connection.set_read_timeout(Some(Duration::from_secs(10)))?;
    let request = read_request(&mut connection)?;
    *seen.lock().unwrap() = request;
    for act in acts {
        match act {
            Act::Send(bytes) => connection.write_all(bytes)?,
            Act::Drip(bytes) => {
                for byte in bytes {
                    connection.write_all(&[*byte])?;
                    thread::sleep(Duration::from_micros(300));
                }
            }
            Act::Chunk(bytes) => {
                write!(connection, "{:x}\r\n", bytes.len())?;
                connection.write_all(bytes)?;
                connection.write_all(b"\r\n")?;
            }
            Act::Endless(bytes) => {
                let bytes = bytes.repeat(4096 / bytes.len());
                loop {
                    connection.write_all(&bytes)?;
                }
            }
            Act::Stall => {
                // Ends when the client closes the connection.
                let _ = connection.read(&mut [0; 1])?;
            }
        }
    }
    Ok(())
}

fn read_request(connection: &mut TcpStream) -> std::io::Result<String> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = connection.read(&mut buffer)?;
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            if body.len() >= length {
                return Ok(text.into_owned());
            }
        }
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
