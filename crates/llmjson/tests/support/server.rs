//! A server on this machine that answers one request after another by a script.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What is sent in answer to one request; then the connection is closed.
#[derive(Clone, Debug)]
pub(crate) struct Answer(Vec<u8>);

impl Answer {
    /// A response that comes at once.
    pub(crate) fn json(status: &str, headers: &str, body: &Value) -> Self {
        let body = body.to_string();
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\n{headers}\
             content-length: {length}\r\n\r\n{body}"
        );
        Self(head.into_bytes())
    }

    /// A stream with these deltas, each in a chunk; the last data may be a finish reason or nothing.
    pub(crate) fn stream(deltas: &[Value], finish: Option<&str>) -> Self {
        let mut text =
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n"
                .to_owned();
        for delta in deltas {
            let chunk = json!({"choices": [{"index": 0, "delta": delta}]});
            text.push_str(&format!("data: {chunk}\n\n"));
        }
        if let Some(finish) = finish {
            let chunk = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
            text.push_str(&format!("data: {chunk}\n\ndata: [DONE]\n\n"));
        }
        Self(text.into_bytes())
    }

    /// A stream with this text, in pieces.
    pub(crate) fn text(text: &str, finish: Option<&str>) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let pieces = characters
            .chunks(5)
            .map(|piece| json!({"content": String::from_iter(piece)}));
        Self::stream(&pieces.collect::<Vec<_>>(), finish)
    }
}

/// Head, in lower case, and body of a request.
type Seen = (String, Value);

/// Answers each request with the next answer, and the last one for good.
pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn new(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        // Ends with the test's process.
        thread::spawn(move || {
            for (place, connection) in listener.incoming().enumerate() {
                let answer = &answers[place.min(answers.len() - 1)];
                // A client that leaves early is no concern of the server.
                let _ = connection.and_then(|connection| serve(connection, answer, &log));
            }
        });
        Self { address, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The bodies of the requests so far.
    pub(crate) fn seen(&self) -> Vec<Value> {
        let seen = self.seen.lock().unwrap();
        seen.iter().map(|(_, body)| body.clone()).collect()
    }

    /// The head of the last request.
    pub(crate) fn last_head(&self) -> String {
        let seen = self.seen.lock().unwrap();
        seen.last().unwrap().0.clone()
    }
}

fn serve(
    mut connection: TcpStream,
    answer: &Answer,
    log: &Mutex<Vec<Seen>>,
) -> std::io::Result<()> {
    connection.set_read_timeout(Some(Duration::from_secs(10)))?;
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
                let body = serde_json::from_str(body).unwrap();
                log.lock().unwrap().push((head, body));
                return connection.write_all(&answer.0);
            }
        }
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
