//! The MCP proxy: messages that it forwards, repairs and answers.

use llmjson_testutil::table::{lines, rows_of};
use std::fmt::Write as _;

use llmjson::{Policy, policy::Undeclared};
use llmjson_mcp::{Lines, Output, Proxy};

/// The rows of the tests.
const FILE: &str = include_str!("mcp.txt");

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
fn valid_calls_and_other_messages_are_forwarded_unchanged() {
    let lines = [
        call(r#"{"city_name":"Oslo"}"#),
        call(r#" { "city_name" : "Oslo" , "days" : 3 } "#),
        call(r#"{"city_name":"\u004fslo","price":1.50,"unknown":[1,2]}"#),
        frame(r#"{"arguments":{"city_name":"Oslo"},"_meta":{"progressToken":1},"name":"weather"}"#),
        frame(r#"{"name":"now","arguments":{}}"#),
        frame(r#"{"name":"nobody","arguments":{"days":"3"}}"#),
        frame(r#"{"arguments":{"days":"3"}}"#),
        frame("[]"),
        frame("null"),
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"weather\"}}\n"
            .to_owned(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n".to_owned(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}\n".to_owned(),
        "{\"id\":1,\"result\":{\"method\":\"tools/call\",\"params\":{\"name\":\"weather\"}}}\n"
            .to_owned(),
        "{\"method\":\"notifications/initialized\"}\n".to_owned(),
        "\n".to_owned(),
        " \r\n".to_owned(),
        "not JSON, though it says tools/call and \"id\": 1\n".to_owned(),
        "[]\n".to_owned(),
        "[{\"id\":1,\"method\":\"ping\"}, {\"method\":\"tools/call\"}]\n".to_owned(),
        "\"tools/call\"\n".to_owned(),
        "{\"id\":1".to_owned() + &" ".repeat(70_000) + ",\"method\":\"ping\"}\n",
        format!("{{\"id\":1,\"method\":{}\"ping\"}}\n", "[".repeat(2_000)),
    ];
    let mut proxy = proxy(policy(), &[WEATHER, PING]);
    for line in &lines {
        assert_eq!(sent(&mut proxy, line), (line.clone(), String::new()));
    }
    let all = lines.concat();
    assert_eq!(sent(&mut proxy, &all), (all, String::new()));
}

#[test]
fn undeclared_members_are_forwarded_unless_similar_to_declared_ones() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    let passes = call(r#"{"city_name":"Oslo","trace":"x"}"#);
    assert_eq!(sent(&mut proxy, &passes), (passes, String::new()));
    let (to_server, to_client) = sent(&mut proxy, &call(r#"{"city_name":"Oslo","dys":3}"#));
    assert_eq!(to_server, "");
    assert!(to_client.contains("Did you mean `days`?"), "{to_client}");
}

#[test]
fn a_call_inside_of_something_else_is_ignored() {
    let call = call(r#"{"city":"Oslo"}"#);
    let inner = call.trim_end();
    let mut proxy = proxy(policy(), &[WEATHER]);
    for line in [
        format!(r#"{{"id":1,"params":{{"frame":{inner}"#),
        format!(r#"{{"id":1,"params":{{"frame":{inner}}},"method":"log",}}"#),
        format!(r#"{{"id":1,"params":[{inner},{inner}],"#),
        format!(r#"{{"id":1,"params":"{inner}","method":"log"}}"#),
        format!(r#"[[{inner}],]"#),
        format!("{{docs}} say {inner}"),
        format!("[1] {inner}"),
        format!("{{\"level\":1}} sent {inner}"),
        format!("log: {inner}"),
        format!("<tool_call>{inner}</tool_call>"),
        format!("```{inner}```"),
    ] {
        let line = line + "\n";
        assert_eq!(sent(&mut proxy, &line), (line, String::new()));
    }
}

#[test]
fn calls_in_invalid_utf8_are_answered() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    let line = b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"weather\",\"arguments\":\"\xff\"}}\n";
    let mut out = Output::default();
    proxy.client.push(line, &mut out);
    assert_eq!(out.to_server, b"");
    let to_client = String::from_utf8(out.to_client).unwrap();
    assert!(to_client.contains("it is not UTF-8"), "{to_client}");
}

#[test]
fn only_the_bytes_of_the_arguments_change() {
    let cases = [
        (
            r#"{"city_name":"Oslo","days":"3"}"#,
            r#"{"city_name":"Oslo","days":3}"#,
        ),
        (
            r#"{"city_name":"Oslo","days":3.0}"#,
            r#"{"city_name":"Oslo","days":3}"#,
        ),
        (r#"{"cityName":"Oslo"}"#, r#"{"city_name":"Oslo"}"#),
        (r#"{"city":"Oslo"}"#, r#"{"city_name":"Oslo"}"#),
        (
            r#"{"city_name":"Oslo","units":"Metric"}"#,
            r#"{"city_name":"Oslo","units":"metric"}"#,
        ),
        (
            r#"{"city_name":"Oslo","tags":"[\"a\"]"}"#,
            r#"{"city_name":"Oslo","tags":["a"]}"#,
        ),
        (
            r#"{"city_name":"Oslo","tags":"a"}"#,
            r#"{"city_name":"Oslo","tags":["a"]}"#,
        ),
        (
            r#"{"city_name":"Oslo","days":null}"#,
            r#"{"city_name":"Oslo"}"#,
        ),
        (
            r#"{"arguments":{"city_name":"Oslo"}}"#,
            r#"{"city_name":"Oslo"}"#,
        ),
        (r#""{\"city_name\":\"Oslo\"}""#, r#"{"city_name":"Oslo"}"#),
        (r#"[{"city_name":"Oslo"}]"#, r#"{"city_name":"Oslo"}"#),
        (
            r#"{"city_name":13120057004123456789012,"x":1}"#,
            r#"{"city_name":"13120057004123456789012","x":1}"#,
        ),
    ];
    let mut proxy = proxy(policy(), &[WEATHER]);
    for (arguments, meant) in cases {
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
fn blank_arguments_are_an_empty_object_where_nothing_is_required() {
    let mut proxy = proxy(policy(), &[WEATHER, PING]);
    for [params, meant] in rows_of(
        FILE,
        "blank arguments are an empty object where nothing is required",
    ) {
        assert_eq!(
            sent(&mut proxy, &frame(params)),
            (frame(meant), String::new())
        );
        let (to_server, to_client) = sent(&mut proxy, &frame(&params.replace("now", "weather")));
        assert_eq!(to_server, "");
        assert!(to_client.contains("city_name"), "{to_client}");
    }
}

#[test]
fn calls_that_cannot_be_repaired_are_answered() {
    let whole = call(r#"{"city_name":"Oslo","days":3}"#);
    let cut = |length: usize| whole[..length].to_owned() + "\n";
    let at = |text: &str| whole.find(text).unwrap();
    let lines = [
        call(r#"{"city_name":"Oslo","days":"soon","units":"kelvin"}"#),
        call("{}"),
        call(r#""no JSON""#),
        call("7"),
        call(r#"[{"city_name":"Oslo"},{"city_name":"Rome"}]"#),
        call(r#""{\"city_name\":\"Os""#),
        cut(at("lo\"")),
        cut(whole.len() - 2),
        cut(at(",\"arguments")),
        cut(at("ather")),
        cut(at(",\"params")),
        format!(
            "[{},{}]\n",
            call("{}").trim(),
            r#"{"id":8,"method":"ping"}"#
        ),
        format!("[{}]\n", call("{}").trim()),
        format!(
            "[{},{}\n",
            r#"{"id":8,"method":"ping"}"#,
            cut(at("lo\"")).trim()
        ),
    ];
    let mut shown = String::new();
    let mut proxy = proxy(policy(), &[WEATHER]);
    for line in &lines {
        let (to_server, to_client) = sent(&mut proxy, line);
        let _ = writeln!(shown, "client   {line}server   {}", to_server.trim_end());
        for answer in to_client.lines() {
            let _ = writeln!(shown, "answer   {}", abridged(answer));
        }
        let _ = writeln!(shown);
    }
    insta::assert_snapshot!(shown);
}

/// Returns a response with only the first line of each text, and the first path in it.
fn abridged(answer: &str) -> String {
    let texts = answer
        .split("\"text\":\"")
        .map(|part| match part.split_once("\\n") {
            None => part.to_owned(),
            Some((line, rest)) => {
                let place = rest
                    .find("\\n1. ")
                    .map_or("", |at| &rest[at + "\\n1. ".len()..]);
                let place = place.split_once(':').map_or("", |(place, _)| place);
                let end = rest.find("\"}],\"isError").map_or("", |at| &rest[at..]);
                format!("{line} … {place} …{end}")
            }
        });
    texts.collect::<Vec<_>>().join("\"text\":\"")
}

#[test]
fn a_call_that_is_not_strict_json_is_rewritten() {
    let right = call(r#"{"city_name":"Oslo","days":3}"#);
    let mut proxy = proxy(policy(), &[WEATHER]);
    for line in [
        right.replace("}}\n", "},}\n"),
        right.replace("3}", "3,}"),
        right.replace("\"id\"", "id"),
        right.replace('"', "'"),
        right
            .replace("{\"city", "{'city")
            .replace("name\"", "name'"),
        right.replace(":3}", ":\"3\",}"),
        format!("\u{feff}{right}"),
    ] {
        assert_ne!(line, right);
        assert_eq!(
            sent(&mut proxy, &line),
            (right.clone(), String::new()),
            "{line}"
        );
    }
    let unknown = frame(r#"{"name":"nobody","arguments":{"days":"3"},}"#);
    let meant = unknown.replace("},}", "}}");
    assert_eq!(sent(&mut proxy, &unknown), (meant, String::new()));
    // Two calls without a line break between them.
    let two = format!("{}{}", right.trim_end(), call(r#"{"city":"Rome"}"#));
    let meant = right.clone() + &call(r#"{"city_name":"Rome"}"#);
    assert_eq!(sent(&mut proxy, &two), (meant, String::new()));
}

#[test]
fn messages_of_a_batch_are_handled_one_by_one() {
    let ping = r#"{"id":8,"method":"ping"}"#;
    let good = call(r#"{"city_name":"Oslo"}"#).trim_end().to_owned();
    let (bad, mended) = (good.replace("_name", ""), &good);
    let mut proxy = proxy(policy(), &[WEATHER]);
    let batch = |members: &[&str]| format!("[{}]\n", members.join(","));
    let given = batch(&[ping, &bad, &good]);
    assert_eq!(
        sent(&mut proxy, &given),
        (batch(&[ping, mended, &good]), String::new())
    );
    let hopeless = good.replace("city_name", "days");
    let (to_server, to_client) = sent(&mut proxy, &batch(&[&hopeless, ping, &hopeless, &bad]));
    assert_eq!(to_server, batch(&[ping, mended]));
    assert_eq!(to_client.matches("\"isError\":true").count(), 2);
    assert!(to_client.starts_with("[{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":"));
    assert!(to_client.ends_with("}}]\n"));
}

#[test]
fn the_policy_exact_rejects_inexact_names_and_undeclared_members() {
    let mut proxy = proxy(Policy::exact(), &[WEATHER]);
    for arguments in [r#"{"city":"Oslo"}"#, r#"{"city_name":"Oslo","x":1}"#] {
        let (to_server, to_client) = sent(&mut proxy, &call(arguments));
        assert_eq!(to_server, "");
        assert!(to_client.contains("isError"), "{to_client}");
    }
    let (to_server, _) = sent(&mut proxy, &call(r#"{"city_name":"Oslo","days":"3"}"#));
    assert_eq!(to_server, call(r#"{"city_name":"Oslo","days":3}"#));
}

#[test]
fn the_latest_list_of_tools_is_used() {
    let tool = |name: &str| WEATHER.replace("\"weather\"", &format!("\"{name}\""));
    let known = |proxy: &mut Proxy, name: &str| {
        let call = call("{}").replace("weather", name);
        !sent(proxy, &call).1.is_empty()
    };
    let mut proxy = proxy(policy(), &[&tool("a"), &tool("b")]);
    let changed = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n";
    proxy.server.push(changed, &mut Output::default());
    assert!(known(&mut proxy, "a") && known(&mut proxy, "b"));
    // The first of two pages: the tools of the previous list are kept until the second page.
    list(&mut proxy, "", &[&tool("a")], r#","nextCursor":"2""#);
    assert!(known(&mut proxy, "a") && known(&mut proxy, "b") && !known(&mut proxy, "c"));
    list(&mut proxy, r#","params":{"cursor":"2"}"#, &[&tool("c")], "");
    assert!(known(&mut proxy, "a") && !known(&mut proxy, "b") && known(&mut proxy, "c"));
    // Responses to other requests do not change the list.
    let stray = format!(
        "{{\"id\":\"x\",\"result\":{{\"tools\":[{}]}}}}\n",
        tool("d")
    );
    proxy.server.push(stray.as_bytes(), &mut Output::default());
    assert!(!known(&mut proxy, "d"));
    let refused = b"{\"id\":\"list\",\"error\":{\"code\":-32601,\"message\":\"no\"}}\n";
    let request = "{\"id\":\"list\",\"method\":\"tools/list\"}\n";
    sent(&mut proxy, request);
    proxy.server.push(refused, &mut Output::default());
    assert!(known(&mut proxy, "a") && known(&mut proxy, "c"));
    list(&mut proxy, "", &[], "");
    assert!(!known(&mut proxy, "a"));
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
fn calls_of_a_tool_with_an_unusable_schema_are_answered() {
    let mut proxy = Proxy::new(policy());
    let broken = WEATHER.replace("\"object\"", "\"no such type\"");
    let notices = list(&mut proxy, "", &[&broken, PING], "");
    assert_eq!(notices.len(), 1);
    assert!(notices[0].contains("\"weather\""), "{}", notices[0]);
    let (to_server, to_client) = sent(&mut proxy, &call("\"3\""));
    assert_eq!(to_server, "");
    assert!(
        to_client.contains("its schema cannot be used"),
        "{to_client}"
    );
    assert!(
        sent(
            &mut proxy,
            &frame(r#"{"name":"now","arguments":{"zone":7}}"#)
        )
        .0
        .contains("\"7\"")
    );
}

#[test]
fn unanswered_requests_get_an_error_when_the_server_ends() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    let requests = [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"two","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"[{"id":3,"method":"ping"},{"id":4,"method":"ping"}]"#,
        call(r#"{"city":"Oslo"}"#).trim_end(),
        call("{}")
            .replace("\"id\":7", "\"id\":\"answered\"")
            .trim_end(),
        call(r#"{"city":"Oslo"},"#)
            .replace("\"id\":7", "\"id\":9")
            .trim_end(),
    ]
    .join("\n");
    sent(&mut proxy, &(requests + "\n"));
    let answers = "{\"id\":3,\"result\":{\"id\":1}}\n{\"id\":1,\"method\":\"sampling/createMessage\"}\n{\"error\":{},\"id\":\"t\\u0077o\"}\n";
    proxy
        .server
        .push(answers.as_bytes(), &mut Output::default());
    let lines = String::from_utf8(
        proxy
            .server
            .finish("exit status: 3", &mut Output::default()),
    )
    .unwrap();
    let error = |id: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32000,\"message\":\"the MCP server ended before it answered: exit status: 3\"}}}}\n"
        )
    };
    assert_eq!(lines, ["1", "4", "7", "9"].map(error).concat());
    let (_, to_client) = sent(&mut proxy, &call("{}"));
    assert_eq!(to_client, error("7"));
    assert!(
        proxy
            .server
            .finish("again", &mut Output::default())
            .is_empty()
    );
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

/// The lines that a client gets, and the server, when the server sends a text.
fn answered(proxy: &mut Proxy, text: &str) -> Output {
    let mut out = Output::default();
    proxy.server.push(text.as_bytes(), &mut out);
    out
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
fn calls_are_answered_where_the_server_lists_no_tools() {
    let mut proxy = Proxy::new(policy());
    let first = call(r#"{"days":"3"}"#);
    sent(&mut proxy, &first);
    let refused =
        "{\"id\":\"llmjson-mcp-proxy/1\",\"error\":{\"code\":-32601,\"message\":\"no\"}}\n";
    let out = answered(&mut proxy, refused);
    let unchecked = "its arguments cannot be checked";
    let to_client = String::from_utf8(out.to_client).unwrap();
    assert_eq!(out.to_server, b"");
    assert!(to_client.contains(unchecked), "{to_client}");
    assert_eq!(out.notices.len(), 1);
    // The next call waits for another list.
    let (to_server, to_client) = sent(&mut proxy, &first);
    assert!(to_server.contains("tools/list"), "{to_server}");
    assert_eq!(to_client, "");
}

#[test]
fn calls_that_wait_get_an_error_when_the_server_ends() {
    let mut proxy = Proxy::new(policy());
    sent(&mut proxy, &call("{}"));
    let lines = proxy
        .server
        .finish("exit status: 3", &mut Output::default());
    let lines = String::from_utf8(lines).unwrap();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(
        lines.starts_with("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\""),
        "{lines}"
    );
}

#[test]
fn results_have_a_type_where_the_protocol_asks_for_it() {
    let meta = |version: &str| {
        format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}},"progressToken":4}}"#
        )
    };
    for (version, is_typed) in [
        ("2026-07-28", true),
        ("2027-01-01", true),
        ("2025-11-25", false),
    ] {
        let params = format!(
            r#"{{"_meta":{},"name":"weather","arguments":{{}}}}"#,
            meta(version)
        );
        let mut proxy = proxy(policy(), &[WEATHER]);
        for call in [frame(&params), frame(&params).replace("}}}\n", "\n")] {
            let (_, answer) = sent(&mut proxy, &call);
            assert_eq!(
                answer.ends_with("\"isError\":true,\"resultType\":\"complete\"}}\n"),
                is_typed,
                "{answer}"
            );
        }
        // A request of the proxy has what every request of this client has.
        let mut proxy = Proxy::new(policy());
        let (list, _) = sent(&mut proxy, &frame(&params));
        let members = meta(version).replace(r#","progressToken":4"#, "");
        assert!(
            list.contains(&format!(r#""params":{{"_meta":{members}}}"#)),
            "{list}"
        );
    }
}

#[test]
fn names_of_tools_are_found_as_people_spell_them() {
    let tool = PING.replace("\"now\"", "\"getTime\"");
    let call = |name: &str, zone: &str| {
        frame(&format!(
            r#"{{"name":"{name}","arguments":{{"zone":{zone}}}}}"#
        ))
    };
    let mut proxy = self::proxy(policy(), &[&tool, WEATHER]);
    for name in ["get-time", "get_time", "GetTime", "get.time"] {
        for (zone, expected) in [("\"CET\"", "\"CET\""), ("7", "\"7\"")] {
            assert_eq!(
                sent(&mut proxy, &call(name, zone)).0,
                call("getTime", expected)
            );
        }
    }
    assert_eq!(sent(&mut proxy, &call("time", "7")).0, call("time", "7"));
    // One of two, and a policy that wants exact names.
    let other = PING.replace("\"now\"", "\"get_time\"");
    let mut proxy = self::proxy(policy(), &[&tool, &other]);
    assert_eq!(
        sent(&mut proxy, &call("get-time", "7")).0,
        call("get-time", "7")
    );
    let mut proxy = self::proxy(Policy::exact(), &[&tool]);
    assert_eq!(
        sent(&mut proxy, &call("get-time", "7")).0,
        call("get-time", "7")
    );
}

#[test]
fn a_method_may_be_written_with_escapes() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    let line = call(r#"{"city_name":"Oslo","days":"3"}"#);
    for (from, to) in [
        ("tools/call", "tool\\u0073/call"),
        ("tools/call", "\\u0074ools\\u002fcall"),
    ] {
        let line = line.replace(from, to);
        assert_eq!(sent(&mut proxy, &line).0, line.replace("\"3\"", "3"));
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

#[test]
fn a_call_that_says_twice_what_it_calls_is_refused() {
    let two_names = frame(r#"{"name":"now","name":"weather","arguments":{"city_name":"Oslo"}}"#);
    let two_params =
        frame(r#"{"name":"now"},"params":{"name":"weather","arguments":{"city_name":"Oslo"}}"#);
    let two_arguments =
        frame(r#"{"name":"now","arguments":{"zone":"a"},"arguments":{"zone":"b"}}"#);
    let same_name = frame(r#"{"name":"now","name":"now","arguments":{"zone":"a"}}"#);
    for (policy, refused) in [
        (Policy::lenient(), &[][..]),
        (Policy::tool(), &[&two_names, &two_params][..]),
        (
            Policy::exact(),
            &[&two_names, &two_params, &two_arguments, &same_name][..],
        ),
    ] {
        let mut proxy = proxy(policy, &[WEATHER, PING]);
        for line in [&two_names, &two_params, &two_arguments, &same_name] {
            let (to_server, to_client) = sent(&mut proxy, line);
            match refused.contains(&line) {
                true => assert!(to_server.is_empty() && to_client.contains("more than once")),
                false => assert_eq!((&to_server, &*to_client), (line, "")),
            }
        }
    }
}

#[test]
fn names_of_tools_with_letters_that_look_alike_are_other_names() {
    let mut proxy = proxy(policy(), &[WEATHER]);
    for name in lines(
        FILE,
        "names of tools with letters that look alike are other names",
    ) {
        let line = frame(&format!(
            r#"{{"name":"{name}","arguments":{{"days":"3"}}}}"#
        ));
        assert_eq!(sent(&mut proxy, &line), (line, String::new()));
    }
}
