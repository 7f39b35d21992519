//! The MCP proxy: messages that it forwards, repairs and answers.

use std::path::Path;

use llmjson::{Policy, policy::Undeclared};
use llmjson_mcp::{Lines, Output, Proxy};
use llmjson_testutil::session::{self, bytes};
use llmjson_testutil::table::{rows_of, written};

const WEATHER: &str = r#"{"name":"weather","description":"Tells the weather","inputSchema":{"type":"object","properties":{"city_name":{"type":"string"},"days":{"type":"integer","minimum":1},"units":{"enum":["metric","imperial"]},"tags":{"type":"array","items":{"type":"string"}},"price":{"type":"number"}},"required":["city_name"]}}"#;
const PING: &str =
    r#"{"name":"now","inputSchema":{"type":"object","properties":{"zone":{"type":"string"}}}}"#;

fn policy() -> Policy {
    Policy::tool().with_undeclared(Undeclared::Keep)
}

/// Returns a proxy that has forwarded a list of these tools.
fn proxy(policy: Policy, tools: &[&str]) -> Proxy {
    let mut proxy = Proxy::new(policy);
    list(&mut proxy, "", tools, "");
    proxy
}

/// Forwards a request for tools and the response, and returns the notices.
fn list(proxy: &mut Proxy, params: &str, tools: &[&str], next: &str) -> Vec<String> {
    let request =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":\"list\",\"method\":\"tools/list\"{params}}}\n");
    assert_eq!(sent(proxy, &request), (request, String::new()));
    let tools = tools.join(",");
    let answer = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"list\",\"result\":{{\"tools\":[{tools}]{next}}}}}\n"
    );
    let mut out = Output::default();
    proxy.server.push(answer.as_bytes(), &mut out);
    assert_eq!(out.to_client, answer.as_bytes());
    out.notices
}

/// Returns the output for the server and for the client when the client sends a text.
fn sent(proxy: &mut Proxy, text: &str) -> (String, String) {
    let mut out = Output::default();
    proxy.client.push(text.as_bytes(), &mut out);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(out.to_server), text(out.to_client))
}

fn call(arguments: &str) -> String {
    frame(&format!(r#"{{"name":"weather","arguments":{arguments}}}"#))
}

fn frame(params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{params}}}\n")
}

#[test]
fn messages_become_what_the_sessions_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/mcp.txt");
    session::check(&path, &mut Session::default());
}

/// A proxy between a client and a server. The lines of its file are:
///
/// - `policy` its name; without one, the policy for tools that keeps undeclared members
/// - `tools` the tools that the server has listed
/// - `client` and `server` a message from there, and `+` a further line in the same write; `end` the server's end
/// - `=` the message is forwarded unchanged, and nothing else is sent
/// - `to-server`, `to-client` lines that are sent instead, and `notice` one for the user
///
/// `call X` stands for the call of `weather` with the arguments `X`, `$weather` and `$now` for these tools.
#[derive(Default)]
struct Session {
    policy: Option<Policy>,
    proxy: Option<Proxy>,
    from: String,
    lines: String,
}

impl Session {
    fn proxy(&mut self) -> &mut Proxy {
        let policy = self.policy.clone().unwrap_or_else(policy);
        self.proxy.get_or_insert_with(|| Proxy::new(policy))
    }
}

impl session::Session for Session {
    const CONTINUE: &'static [&'static str] = &["+"];
    const RESULTS: &'static [&'static str] = &["=", "to-server", "to-client", "notice"];

    fn begin(&mut self, _title: &'static str) {
        *self = Self::default();
    }

    fn read(&mut self, marker: &str, text: &'static str) {
        match marker {
            "policy" => self.policy = Some(Policy::named(text).expect("a policy")),
            "tools" => {
                let tools = text.replace("weather", WEATHER).replace("now", PING);
                let tools: Vec<&str> = tools.split(' ').collect();
                list(self.proxy(), "", &tools, "");
            }
            "client" | "server" | "end" => {
                marker.clone_into(&mut self.from);
                self.lines = expanded(text);
            }
            "+" => self.lines += &format!("\n{}", expanded(text)),
            _ => panic!("{marker} is no marker"),
        }
    }

    fn results(&mut self) -> Vec<String> {
        if self.from.is_empty() {
            return Vec::new();
        }
        let from = std::mem::take(&mut self.from);
        let lines = std::mem::take(&mut self.lines);
        let sent = [bytes(&lines), b"\n".to_vec()].concat();
        let (mut out, proxy) = (Output::default(), self.proxy());
        match &*from {
            "client" => proxy.client.push(&sent, &mut out),
            "server" => proxy.server.push(&sent, &mut out),
            _ => {
                let errors = proxy.server.finish(&lines, &mut out);
                out.to_client.extend(errors);
            }
        }
        let (same, other) = match &*from {
            "client" => (&out.to_server, &out.to_client),
            _ => (&out.to_client, &out.to_server),
        };
        if *same == sent && other.is_empty() && out.notices.is_empty() {
            return vec!["=".to_owned()];
        }
        let line = |marker: &str, line: &str| written(&format!("{marker} {}", abridged(line)));
        let mut results = Vec::new();
        for (marker, bytes) in [("to-server", out.to_server), ("to-client", out.to_client)] {
            let text = String::from_utf8(bytes).expect("UTF-8");
            results.extend(text.split_terminator('\n').map(|one| line(marker, one)));
        }
        results.extend(out.notices.iter().map(|one| line("notice", one)));
        results
    }
}

/// Returns a line of a file in full.
fn expanded(line: &str) -> String {
    let line = line.replace("$weather", WEATHER).replace("$now", PING);
    match line.strip_prefix("call ") {
        Some(arguments) => call(arguments).trim_end().to_owned(),
        None => line,
    }
}

/// Returns a line as a file has it.
fn abridged(line: &str) -> String {
    let whole = call("…");
    let (start, end) = whole.trim_end().split_once('…').expect("its arguments");
    let arguments = line
        .strip_prefix(start)
        .and_then(|line| line.strip_suffix(end));
    arguments.map_or_else(|| line.to_owned(), |arguments| format!("call {arguments}"))
}

#[test]
fn long_lines_are_forwarded_unchanged() {
    let mut proxy = proxy(policy(), &[WEATHER, PING]);
    for line in [
        "{\"id\":1".to_owned() + &" ".repeat(70_000) + ",\"method\":\"ping\"}\n",
        format!("{{\"id\":1,\"method\":{}\"ping\"}}\n", "[".repeat(2_000)),
    ] {
        assert_eq!(sent(&mut proxy, &line), (line.clone(), String::new()));
    }
}

#[test]
fn only_the_bytes_of_the_arguments_change() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    for [arguments, meant] in rows_of(include_str!("mcp_arguments.txt"), "arguments") {
        assert_eq!(
            sent(&mut proxy, &call(arguments)),
            (call(meant), String::new())
        );
        // The text around the arguments is unchanged.
        let around = |arguments: &str| {
            format!(
                " {{ \"params\" :{{\"arguments\": {arguments} ,\"name\":\"we\\u0061ther\"}}, \"method\":\"tools\\/call\",\"id\":\"\\u00e9\"}}\r\n"
            )
        };
        assert_eq!(
            sent(&mut proxy, &around(arguments)),
            (around(meant), String::new())
        );
    }
}

#[test]
fn a_list_may_come_in_a_batch_and_in_pieces() {
    let mut proxy = Proxy::new(policy());
    let request =
        r#"[{"id":1,"method":"ping"},{"id":"b","method":"tools\/list","params":{"cursor":null}}]"#;
    sent(&mut proxy, &format!("{request}\n"));
    let answer =
        format!(r#"[{{"id":1,"result":{{}}}},{{"result":{{"tools":[{WEATHER}]}},"id":"b"}}]"#);
    for piece in format!("{answer}\r\n").as_bytes().chunks(5) {
        let unchecked = sent(&mut proxy, &call("null")).1;
        assert!(unchecked.contains("did not list it"), "{unchecked}");
        proxy.server.push(piece, &mut Output::default());
    }
    assert!(sent(&mut proxy, &call("null")).1.contains("city_name"));
}

#[test]
fn inserted_lines_do_not_break_lines_of_the_stream() {
    let (mut lines, mut out) = (Lines::default(), Vec::new());
    lines.insert(b"first\n", &mut out);
    lines.relay(b"a", &mut out);
    lines.insert(b"second\n", &mut out);
    lines.insert(b"third\n", &mut out);
    lines.relay(b"", &mut out);
    lines.relay(b"b\nc", &mut out);
    lines.insert(b"fourth\n", &mut out);
    lines.finish(b"last\n", &mut out);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "first\nab\nsecond\nthird\nc\nfourth\nlast\n"
    );
}

/// Checks the laws for lines of all kinds, cut into pieces of several lengths.
#[test]
fn the_output_does_not_depend_on_how_bytes_are_cut() {
    let fits = call(r#"{"city_name":"Oslo"}"#);
    let lines = [
        fits.clone(),
        call(r#"{"city":"Oslo","days":"3"}"#),
        call(r#"{"days":[]}"#),
        fits.replace("}}\n", ",}}\n"),
        fits.replace("}}\n", "\n"),
        format!(
            "[{},{},{{\"method\":\"x\"}}]\n",
            fits.trim(),
            call("{}").trim()
        ),
        format!("{}{}", fits.trim(), fits),
        "{\"id\":1,\"method\":\"tools/list\"}\nnoise\n\n\u{ff}{\"id\":2,\"method\":\"ping\"}"
            .to_owned(),
    ];
    let page =
        |next| format!("{{\"id\":\"law\",\"result\":{{\"tools\":[{WEATHER},{PING}{next}]}}}}\n");
    for server in [
        "",
        "noise\n",
        &page(""),
        &page(",{\"name\":\"x\",\"inputSchema\":7}"),
    ] {
        for line in lines.iter().chain([&lines.concat()]) {
            let input = [server.as_bytes(), &[0], line.as_bytes()].concat();
            for lengths in [[1, 1], [2, 7], [64, 3]] {
                llmjson::laws::a_proxy_loses_nothing(&input, &lengths);
            }
            llmjson::laws::a_session_loses_nothing(&input);
        }
    }
}

/// Checks the laws of sessions for messages with another byte at each of their places.
#[test]
fn messages_of_sessions_are_sent_or_answered_once() {
    let messages = [
        call(r#"{"city":"Oslo","days":"3"}"#),
        format!("[{},{}]", call(r#"{"city_name":"Oslo"}"#), call("{}")),
        format!("{}\0{}", call("{}"), call(r#"{"city_name":1}"#)),
    ];
    let bytes = b"\0\n\"[{},:\\7";
    for message in messages {
        let input = [b"\0", message.as_bytes()].concat();
        llmjson::laws::a_session_loses_nothing(&input);
        for at in 0..input.len() {
            let mut damaged = input.clone();
            damaged[at] = bytes[at % bytes.len()];
            llmjson::laws::a_session_loses_nothing(&damaged);
        }
    }
}

const OWN_LIST: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"llmjson-mcp-proxy/1\",\"method\":\"tools/list\",\"params\":{}}\n";

#[test]
fn the_list_is_requested_before_the_first_call() {
    for length in [1, 7, 10_000] {
        let mut proxy = Proxy::new(policy());
        let first = call(r#"{"city":"Oslo","days":"3"}"#);
        assert_eq!(
            sent(&mut proxy, &first),
            (OWN_LIST.to_owned(), String::new())
        );
        let second = call("{}").replace("\"id\":7", "\"id\":8");
        assert_eq!(sent(&mut proxy, &second), Default::default());
        let ping = "{\"id\":9,\"method\":\"ping\"}\n";
        assert_eq!(sent(&mut proxy, ping).0, ping);
        let note = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n";
        let page = format!(
            "{{\"id\":\"llmjson-mcp-proxy/1\",\"result\":{{\"tools\":[{PING}],\"nextCursor\":\"b\"}}}}\r\n"
        );
        let mut out = Output::default();
        for piece in [note, &page, note].concat().as_bytes().chunks(length) {
            proxy.server.push(piece, &mut out);
        }
        assert_eq!(out.to_client, note.repeat(2).as_bytes());
        let next = OWN_LIST
            .replace("/1", "/2")
            .replace("{}", "{\"cursor\":\"b\"}");
        assert_eq!(String::from_utf8(out.to_server).unwrap(), next);
        let last =
            format!("{{\"id\":\"llmjson-mcp-proxy/2\",\"result\":{{\"tools\":[{WEATHER}]}}}}\n");
        let mut out = Output::default();
        for piece in last.as_bytes().chunks(length) {
            proxy.server.push(piece, &mut out);
        }
        assert_eq!(
            String::from_utf8(out.to_server).unwrap(),
            call(r#"{"city_name":"Oslo","days":3}"#)
        );
        let to_client = String::from_utf8(out.to_client).unwrap();
        assert!(
            to_client.starts_with("{\"jsonrpc\":\"2.0\",\"id\":8,\"result\""),
            "{to_client}"
        );
        assert!(out.notices.is_empty());
        assert!(!proxy.client.awaits_list());
    }
}

#[test]
fn what_is_not_checked_is_said() {
    let mut proxy = proxy(Policy::lenient(), &[WEATHER]);
    let long = call(&format!(r#"{{"city_name":"{}"}}"#, "x".repeat(10_000_001)));
    let cases = [
        (long.into_bytes(), 1),
        (
            b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}\n".to_vec(),
            1,
        ),
        (long_ping(), 0),
    ];
    for (line, notices) in cases {
        let mut out = Output::default();
        proxy.client.push(&line, &mut out);
        assert_eq!(out.to_server, line);
        assert_eq!(out.notices.len(), notices);
    }
}

fn long_ping() -> Vec<u8> {
    let begin = &b"{\"id\":1,\"method\":\"ping\",\"params\":\""[..];
    [begin, &[b'x'; 10_000_001], b"\"}\n"].concat()
}

#[test]
fn calls_that_cannot_be_checked_are_refused() {
    let long = "x".repeat(10_000_001);
    let lines = [
        call(&format!(r#"{{"city_name":"{long}"}}"#)),
        format!(
            "{{\"params\":{{\"arguments\":{{\"city_name\":\"{long}\"}},\"name\":\"weather\"}},\"id\":7,\"method\":\"tools/call\"}}\n"
        ),
        format!("[{},\"{long}\"]\n", call("{}").trim_end()),
        call(&format!(
            r#"{{"tags":{}{}}}"#,
            "[".repeat(600),
            "]".repeat(600)
        )),
    ];
    for policy in [Policy::tool(), Policy::exact()] {
        let mut proxy = proxy(policy, &[WEATHER]);
        for line in &lines {
            let (to_server, to_client) = sent(&mut proxy, line);
            assert_eq!(to_server, "", "{line:.80}");
            assert!(
                to_client.contains(r#""id":7,"error":{"code":-32600"#),
                "{to_client}"
            );
            assert_eq!(to_client.starts_with('['), line.starts_with('['));
        }
        let ping = String::from_utf8(long_ping()).expect("it is ASCII");
        assert_eq!(sent(&mut proxy, &ping), (ping, String::new()));
        let whole = call(r#"{"city_name":"Oslo"}"#);
        assert_eq!(sent(&mut proxy, &whole), (whole, String::new()));
    }
}
