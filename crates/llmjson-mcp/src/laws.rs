//! Properties of the proxy that hold for all input, as functions that panic if they do not hold.

use super::shared::Id;
use super::skim::{Head, Skim};
use super::{Output, Proxy, Session, Treated};
use llmjson_reply::Policy;

/// The tool list that the server sends first.
const TOOLS: &str = r#"{"id":"law","result":{"tools":[{"name":"weather","inputSchema":{"type":"object","properties":{"city_name":{"type":"string"},"days":{"type":"integer"}},"required":["city_name"]}},{"name":"now","inputSchema":{}}]}}"#;
/// The request that [`TOOLS`] answers.
const LIST: &str = r#"{"id":"law","method":"tools/list"}"#;

/// Checks that the result does not depend on how the bytes are split into pieces, that every client
/// line that calls no tool is forwarded unchanged, and that every message is forwarded or answered.
///
/// The bytes up to the first 0 are from the server, in response to a request for the tool list, the
/// others from the client. The pieces have the given lengths, repeated in a cycle; 0 stands for 1.
///
/// # Panics
///
/// If that does not hold.
pub fn a_proxy_loses_nothing(bytes: &[u8], lengths: &[u8]) {
    let middle = bytes.iter().position(|&byte| byte == 0);
    let (server, client) = bytes.split_at(middle.unwrap_or(0));
    let whole = Passed::of([server], [client]);
    let cut = Passed::of(pieces(server, lengths), pieces(client, lengths));
    assert!(
        cut == whole,
        "{cut:?} in pieces of {lengths:?} is {whole:?}"
    );
    let (mut proxy, _) = informed([server]);
    let mut lines = Output::default();
    for line in client.split_inclusive(|&byte| byte == b'\n') {
        let out = by_line(&mut proxy, line);
        a_line_is_accounted_for(line, &out);
        lines.to_server.extend(out.to_server);
        lines.to_client.extend(out.to_client);
        lines.notices.extend(out.notices);
    }
    assert!(lines == whole.out, "{lines:?} by lines is {whole:?}");
}

/// Checks for each message of a session that every request in it is sent once or answered once,
/// under its own id, that a message that calls no tool is sent unchanged, and that a message is
/// handled like a single line.
///
/// The bytes up to the first 0 are from the server, in response to a request for the tool list, one
/// message per line. The parts between the next zeros are client messages.
///
/// # Panics
///
/// If that does not hold.
pub fn a_session_loses_nothing(bytes: &[u8]) {
    let mut messages = bytes.split(|&byte| byte == 0);
    let server = messages.next().unwrap_or_default();
    let session = Session::new(Policy::tool());
    let mut notices = Vec::new();
    session.send(LIST.as_bytes(), &mut notices);
    session.receive(TOOLS.as_bytes(), &mut notices);
    session.send(LIST.as_bytes(), &mut notices);
    for line in server.split(|&byte| byte == b'\n') {
        session.receive(line, &mut notices);
    }
    for message in messages {
        let (sent, answer) = match session.send(message, &mut notices) {
            Treated::Unchanged => (message.to_vec(), Vec::new()),
            Treated::Changed(sent) => (sent.into_bytes(), Vec::new()),
            Treated::Answered(answer) => (Vec::new(), answer.unwrap_or_default().into_bytes()),
        };
        if answer.is_empty() && !message.is_empty() && !message.contains(&b'\n') {
            let (mut proxy, _) = informed([server, b"\n"]);
            let out = by_line(&mut proxy, &[message, b"\n"].concat());
            let line = match sent.is_empty() {
                true => Vec::new(),
                false => [&sent[..], b"\n"].concat(),
            };
            assert!(
                out.to_server == line && out.to_client.is_empty(),
                "{:?} is sent, and {out:?} by a line",
                String::from_utf8_lossy(&sent)
            );
        }
        a_message_is_accounted_for(message, &sent, &answer);
    }
}

fn a_message_is_accounted_for(message: &[u8], sent: &[u8], answer: &[u8]) {
    if sent == message {
        assert!(answer.is_empty(), "sent and answered");
        return;
    }
    let shown = String::from_utf8_lossy(message);
    let calls = shown.contains("tools/call") || shown.contains("tools\\/call");
    assert!(calls, "{shown} calls no tool");
    for written in [sent, answer].into_iter().filter(|one| !one.is_empty()) {
        let text = String::from_utf8_lossy(written);
        assert!(is_strict(written), "{text:?} is no JSON");
    }
    if is_strict(message) {
        let given = ids(message, Head::request);
        let got = [ids(sent, Head::request), ids(answer, Head::response)].concat();
        assert_eq!(given, got, "the ids of {shown}");
    }
}

/// The ids of the messages of a kind, unordered.
fn ids(messages: &[u8], kind: impl Fn(&Head) -> Option<Id>) -> Vec<String> {
    let mut ids = Vec::new();
    Skim::default().feed(messages, |head| {
        ids.extend(kind(&head).map(|id| format!("{id:?}")));
    });
    ids.sort();
    ids
}

/// The output of a proxy.
#[derive(Debug, Default, PartialEq, Eq)]
struct Passed {
    out: Output,
    /// The responses when the server ended.
    last: Vec<u8>,
    /// The output for the bytes of the server.
    server: Output,
}

impl Passed {
    fn of<'b>(
        server: impl IntoIterator<Item = &'b [u8]>,
        client: impl IntoIterator<Item = &'b [u8]>,
    ) -> Self {
        let (mut proxy, mut notices) = informed(server);
        let mut out = Output::default();
        for piece in client {
            proxy.client.push(piece, &mut out);
        }
        proxy.client.finish(&mut out);
        let last = proxy.server.finish("law", &mut notices);
        Self {
            out,
            last,
            server: notices,
        }
    }
}

/// Returns a proxy that has read [`TOOLS`] and then the bytes of a server in response to a second request.
fn informed<'b>(server: impl IntoIterator<Item = &'b [u8]>) -> (Proxy, Output) {
    let mut proxy = Proxy::new(Policy::tool());
    let (mut out, mut notices) = (Output::default(), Output::default());
    proxy.client.push(format!("{LIST}\n").as_bytes(), &mut out);
    proxy
        .server
        .push(format!("{TOOLS}\n").as_bytes(), &mut notices);
    proxy.client.push(format!("{LIST}\n").as_bytes(), &mut out);
    for piece in server {
        proxy.server.push(piece, &mut notices);
    }
    (proxy, notices)
}

fn by_line(proxy: &mut Proxy, line: &[u8]) -> Output {
    let mut out = Output::default();
    proxy.client.push(line, &mut out);
    if !line.ends_with(b"\n") {
        proxy.client.finish(&mut out);
    }
    out
}

fn a_line_is_accounted_for(line: &[u8], out: &Output) {
    if out.to_server == line {
        assert!(out.to_client.is_empty(), "passed on and answered");
        return;
    }
    let shown = String::from_utf8_lossy(line);
    let calls = shown.contains("tools/call") || shown.contains("tools\\/call");
    assert!(calls, "{shown} calls no tool");
    for written in [&out.to_server, &out.to_client] {
        for line in written
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            assert!(
                is_strict(line),
                "{:?} is no JSON",
                String::from_utf8_lossy(line)
            );
        }
    }
    if is_strict(line) {
        let (given, got) = (
            messages(line),
            messages(&out.to_server) + messages(&out.to_client),
        );
        assert_eq!(given, got, "messages of {shown}");
    }
}

fn is_strict(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let document = llmjson_syntax::parse(text);
    document.root().is_some() && document.is_complete() && document.repairs().is_empty()
}

/// Returns the number of messages.
fn messages(lines: &[u8]) -> usize {
    let mut count = 0;
    for line in lines.split(|&byte| byte == b'\n') {
        Skim::default().feed(line, |_| count += 1);
    }
    count
}

fn pieces<'b>(mut rest: &'b [u8], lengths: &[u8]) -> Vec<&'b [u8]> {
    let mut lengths = lengths
        .iter()
        .map(|&length| usize::from(length.max(1)))
        .cycle();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let length = lengths.next().unwrap_or(1).min(rest.len());
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
