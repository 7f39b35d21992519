//! The proxy with bare hands: what becomes of every byte when clients and servers do as they like.
//!
//! Most servers here are shell scripts. `cat` is the best of them: it gives back what reaches it, so a
//! client can compare, and also put words into the server's mouth.
#![cfg(unix)]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use support::{PLAIN, behind_proxy};

/// How long to wait for a line before the test is given up. None should take a thousandth of that.
const PATIENCE: Duration = Duration::from_secs(60);

const WEATHER: &str = r#"{"name":"weather","inputSchema":{"type":"object","properties":{"city_name":{"type":"string"},"days":{"type":"integer"}},"required":["city_name"]}}"#;

struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

impl Session {
    fn start(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while stdout
                .read_until(b'\n', &mut line)
                .is_ok_and(|count| count > 0)
            {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            lines,
        }
    }

    fn script(script: &str) -> Self {
        Self::start(behind_proxy(["sh", "-c", script]))
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("it is still open");
        stdin.write_all(bytes.as_ref()).expect("somebody reads");
    }

    /// Sends on a thread, since writing blocks while the answers are not read. Closes the pipe at the end.
    fn send_all(&mut self, bytes: Vec<u8>) {
        let mut stdin = self.stdin.take().expect("it is still open");
        thread::spawn(move || stdin.write_all(&bytes));
    }

    fn line(&self) -> Vec<u8> {
        self.lines.recv_timeout(PATIENCE).expect("a line comes")
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.line()).expect("the line is JSON")
    }

    /// All that comes until the end, and the exit code.
    fn finish(mut self) -> (Vec<Vec<u8>>, Option<i32>) {
        drop(self.stdin.take());
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end"),
            }
        }
        (lines, self.child.wait().expect("it ended").code())
    }

    /// Introduces the client to a server of the SDK.
    fn introduce(&mut self) {
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "pipes", "version": "1"}});
        self.send(request("hello", "initialize", &hello.to_string()));
        assert_eq!(self.json()["id"], "hello");
        self.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        self.send(request("list", "tools/list", "{}"));
        assert_eq!(self.json()["id"], "list");
    }

    /// Lets `cat` list a tool.
    fn list(&mut self) {
        self.send(request("list", "tools/list", "{}"));
        self.line();
        self.send(format!(
            "{{\"id\":\"list\",\"result\":{{\"tools\":[{WEATHER}]}}}}\n"
        ));
        self.line();
    }
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"{method}\",\"params\":{params}}}\n")
}

fn call(id: &str, arguments: &str) -> String {
    request(
        id,
        "tools/call",
        &format!(r#"{{"name":"weather","arguments":{arguments}}}"#),
    )
}

/// What `cat` gave back, and the errors in place of the answers that it never gave.
fn apart(lines: Vec<Vec<u8>>) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let is_echo = |line: &Vec<u8>| !line.windows(6).any(|part| part == b"-32000");
    lines.into_iter().partition(is_echo)
}

#[test]
fn all_bytes_come_back_in_order() {
    let long = format!("{{\"id\":1,\"result\":\"{}\"}}\n", "x".repeat(10_000_000));
    let mut bytes = Vec::new();
    for piece in [
        &b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"[..],
        b"\n\r\n \n",
        b"noise, and half a message {\"id\":\n",
        b"\xff\xfe{\"id\":2,\"method\":\"ping\"}\n",
        b"[{\"id\":3,\"method\":\"ping\"},{\"id\":4,\"result\":{}},7]\n",
        b"{\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"nobody\",\"arguments\":\"{}\"}}\r\n",
        long.as_bytes(),
        b"{\"method\":\"notifications/cancelled\"}\n",
    ] {
        bytes.extend_from_slice(piece);
    }
    // Calls that cannot be checked, too long or not UTF-8, are answered, and not forwarded.
    let odd = b"\xff\xfe{\"id\":2,\"method\":\"tools/call\"}\n".to_vec();
    let arguments = format!("{{\"city\":\"{}\"}}", "x".repeat(10_000_000));
    let mut session = Session::script("cat");
    session.list();
    session.send_all([bytes.clone(), odd, call("long", &arguments).into_bytes()].concat());
    let (lines, code) = session.finish();
    let refused = |line: &Vec<u8>| line.windows(6).any(|part| part == b"-32600");
    let (refusals, lines): (Vec<_>, Vec<_>) = apart(lines).0.into_iter().partition(refused);
    assert_eq!(refusals.len(), 2);
    assert!(
        lines.concat() == bytes,
        "{} bytes of {}",
        lines.concat().len(),
        bytes.len()
    );
    assert_eq!(code, Some(0));
}

#[test]
fn a_last_line_may_lack_its_line_break() {
    for last in ["{\"method\":\"bye\"}", "{\"id\":1,\"result\":", "noise"] {
        let mut session = Session::script("cat");
        session.send(format!("{{\"method\":\"hello\"}}\n{last}"));
        let (lines, code) = session.finish();
        assert_eq!(lines[1..].concat(), last.as_bytes());
        assert_eq!((lines.len(), code), (2, Some(0)));
    }
}

#[test]
fn many_messages_in_flight_lose_neither_order_nor_answers() {
    let mut session = Session::script("cat");
    session.list();
    let (mut sent, mut passed, mut answered) = (String::new(), Vec::new(), Vec::new());
    for number in 0..3_000 {
        let id = number.to_string();
        let right = call(&id, &format!("{{\"city_name\":\"{number}\"}}"));
        match number % 4 {
            0 => sent.push_str(&right),
            1 => sent.push_str(
                &right
                    .replace("city_name", "City Name")
                    .replace("}}}", "},}}"),
            ),
            2 => sent.push_str(&call(&id, "{\"days\":1}")),
            _ => sent.push_str(&request(
                &id,
                "ping",
                &format!("\"{}\"", "y".repeat(number)),
            )),
        }
        match number % 4 {
            2 => answered.push(id),
            3 => passed.push(request(&id, "ping", &format!("\"{}\"", "y".repeat(number)))),
            _ => passed.push(right),
        }
    }
    session.send_all(sent.into_bytes());
    let (lines, code) = session.finish();
    let (lines, unanswered) = apart(lines);
    assert_eq!(unanswered.len(), passed.len());
    let lines = lines
        .into_iter()
        .map(|line| String::from_utf8(line).expect("it is text"));
    let (answers, echoes): (Vec<_>, Vec<_>) = lines.partition(|line| line.contains("isError"));
    assert!(
        echoes == passed,
        "{} lines of {}",
        echoes.len(),
        passed.len()
    );
    let ids = answers.iter().map(|answer| {
        let answer: Value = serde_json::from_str(answer).expect("an answer is JSON");
        answer["id"]
            .as_str()
            .expect("it has the id of its call")
            .to_owned()
    });
    assert_eq!(ids.collect::<Vec<_>>(), answered);
    assert_eq!(code, Some(0));
}

#[test]
fn a_server_that_dies_leaves_nobody_waiting() {
    // What the script does, the line that it leaves open, and the exit code.
    for (script, open, code) in [
        ("read a; read b; exit 3", "", 3),
        ("read a; read b; printf '{\"cut'; exit 4", "{\"cut\n", 4),
        ("read a; read b; kill -9 $$", "", 137),
        ("read a; read b; exec >&-; exec sleep 60", "", 137),
    ] {
        let mut session = Session::script(script);
        session.send(request("a", "ping", "{}"));
        session.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
        if !open.is_empty() {
            assert_eq!(session.line(), open.as_bytes());
        }
        for id in [json!("a"), json!(2)] {
            let error = session.json();
            assert_eq!(
                (&error["id"], &error["error"]["code"]),
                (&id, &json!(-32000))
            );
            let message = error["error"]["message"].as_str().expect("it says why");
            assert!(
                message.starts_with("the MCP server ended before it answered: "),
                "{message}"
            );
        }
        // The client still has not hung up.
        let stdin = session.stdin.take();
        assert_eq!(session.finish(), (Vec::new(), Some(code)), "{script}");
        drop(stdin);
    }
}

#[test]
fn a_client_that_hangs_up_is_told_what_the_server_still_says() {
    let mut session = Session::script("cat >/dev/null; echo '{\"method\":\"bye\"}'; exit 5");
    session.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    let (lines, code) = session.finish();
    assert_eq!(lines.concat(), b"{\"method\":\"bye\"}\n");
    assert_eq!(code, Some(5));
}

/// Longer than a server may take that closes its output for no reason.
#[test]
fn a_server_may_put_its_things_in_order_when_the_client_has_left() {
    let session = Session::script("cat; exec >&-; sleep 3; exit 7");
    assert_eq!(session.finish(), (Vec::new(), Some(7)));
}

#[test]
fn a_server_whose_client_reads_no_more_can_end() {
    let mut command = behind_proxy(["sh", "-c", "yes | head -c 3000000; cat >/dev/null; exit 6"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut first = [0; 100];
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut first).expect("it says something");
    drop(stdout);
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(6));
}

#[test]
fn a_server_that_cannot_be_started_is_an_error() {
    let session = Session::start(behind_proxy(["/no/such/server"]));
    assert_eq!(session.finish(), (Vec::new(), Some(2)));
}

#[test]
fn the_policy_decides_about_members_that_nobody_declared() {
    let line = call("call", r#"{"city_name":"Oslo","unknown":1}"#);
    for (policy, passes) in [("tool", true), ("exact", false)] {
        let mut command = Command::new(support::llmjson());
        command.args(["mcp-proxy", "--policy", policy, "--", "cat"]);
        let mut session = Session::start(command);
        session.list();
        session.send(&line);
        assert_eq!(session.line() == line.as_bytes(), passes, "{policy}");
        session.finish();
    }
}

#[test]
fn batches_are_answered_in_part() {
    let mut session = Session::script("cat");
    session.list();
    let ping = r#"{"id":1,"method":"ping"}"#;
    let (good, bad) = (call("good", r#"{"city":"Oslo"}"#), call("bad", "{}"));
    session.send(format!("[{},{ping},{}]\n", bad.trim(), good.trim()));
    let lines = [session.json(), session.json()];
    let (answer, echo) = match lines[0][0]["id"] == "bad" {
        true => (&lines[0], &lines[1]),
        false => (&lines[1], &lines[0]),
    };
    assert_eq!(
        (
            answer.as_array().map(Vec::len),
            &answer[0]["result"]["isError"]
        ),
        (Some(1), &json!(true))
    );
    assert_eq!(
        (echo.as_array().map(Vec::len), &echo[0]["id"]),
        (Some(2), &json!(1))
    );
    assert_eq!(echo[1]["params"]["arguments"], json!({"city_name": "Oslo"}));
    session.finish();
}

/// Calls that the SDK's client cannot send, since they are no calls by the protocol or not even JSON.
#[test]
fn calls_that_a_server_does_not_understand_are_mended_or_answered() {
    let right = call("call", r#"{"city_name":"Oslo","days":3}"#);
    let result = "Oslo: 11 °C, for 3 days";
    let strange = [
        (
            call("call", r#""{\"city_name\":\"Oslo\",\"days\":\"3\"}""#),
            Some(-32601),
            Some(result),
        ),
        (
            call("call", r#"[{"city_name":"Oslo","days":3}]"#),
            Some(-32601),
            Some(result),
        ),
        (right.replace("}}}", "},}}"), None, Some(result)),
        (right.replace("3}", "3,}"), None, Some(result)),
        (
            right.replace("\"arguments\"", "'arguments'"),
            None,
            Some(result),
        ),
        (right.replace("}}}\n", "\n"), None, None),
        (right.replace(",\"days\":3}}}\n", "\n"), None, None),
        (right.replace("lo\",\"days\":3}}}\n", "\n"), None, None),
    ];
    let mut plain = Session::start(Command::new(PLAIN));
    let mut mended = Session::start(behind_proxy([PLAIN]));
    for session in [&mut plain, &mut mended] {
        session.introduce();
    }
    for (line, code, text) in strange {
        plain.send(&line);
        plain.send(request("ping", "ping", "{}"));
        let answer = plain.json();
        match code {
            Some(code) => {
                assert_eq!(
                    (&answer["id"], &answer["error"]["code"]),
                    (&json!("call"), &json!(code))
                );
                assert_eq!(plain.json()["id"], "ping");
            }
            // The line is not even JSON, or cut off: the server passes over it without an answer.
            None => assert_eq!(answer["id"], "ping", "{line}"),
        }
        mended.send(&line);
        let answer = mended.json();
        assert_eq!(answer["id"], "call");
        let (got, is_error) = (
            &answer["result"]["content"][0]["text"],
            &answer["result"]["isError"],
        );
        match text {
            Some(text) => assert_eq!(
                (got, is_error == &json!(true)),
                (&json!(text), false),
                "{line}"
            ),
            None => {
                let got = got.as_str().expect("it says what is wrong");
                assert!(
                    is_error == &json!(true) && got.contains("ended before its value did"),
                    "{got}"
                );
            }
        }
    }
    assert_eq!(plain.finish(), (Vec::new(), Some(0)));
    assert_eq!(mended.finish(), (Vec::new(), Some(0)));
}
