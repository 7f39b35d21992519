//! What holds for a proxy, whatever passes it. A law that does not hold panics.

use super::skim::Skim;
use super::{Output, Proxy};
use crate::policy::Policy;

/// The tools that the proxy has heard of, before the server says anything else.
const TOOLS: &str = r#"{"id":"law","result":{"tools":[{"name":"weather","inputSchema":{"type":"object","properties":{"city_name":{"type":"string"},"days":{"type":"integer"}},"required":["city_name"]}},{"name":"now","inputSchema":{}}]}}"#;
/// Has the answer that [`TOOLS`] is.
const LIST: &str = r#"{"id":"law","method":"tools/list"}"#;

/// However bytes are cut, a proxy does the same with them; every line of the client goes on as it is,
/// unless it calls a tool, and every message is passed on or answered.
///
/// Up to the first 0 the bytes come from the server, in answer to a request for tools, and then from the
/// client. The pieces have the given lengths, again and again; a length of 0 stands for 1.
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
    let mut by_line = Output::default();
    for line in client.split_inclusive(|&byte| byte == b'\n') {
        let out = sent(&mut proxy, line);
        a_line_is_accounted_for(line, &out);
        by_line.to_server.extend(out.to_server);
        by_line.to_client.extend(out.to_client);
    }
    assert!(by_line == whole.out, "{by_line:?} by lines is {whole:?}");
}

/// What a proxy made of what passed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Passed {
    out: Output,
    /// The answers when the server ended.
    last: Vec<u8>,
    notices: Vec<String>,
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
        Self { out, last, notices }
    }
}

/// A proxy that knows the tools, and was then told what a server says when asked for others.
fn informed<'b>(server: impl IntoIterator<Item = &'b [u8]>) -> (Proxy, Vec<String>) {
    let mut proxy = Proxy::new(Policy::tool());
    let (mut out, mut notices) = (Output::default(), Vec::new());
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

fn sent(proxy: &mut Proxy, line: &[u8]) -> Output {
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

/// How many messages there are.
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
