//! Calls that cannot be checked: under a policy that wants them checked none reaches the server.

use llmjson_mcp::{Output, Proxy};
use llmjson_reply::Policy;

const LINE_BYTES_MAX: usize = 10_000_000;

const CALL: &str =
    r#"{"id":7,"method":"tools/call","params":{"name":"weather","arguments":{"days":"3"}}}"#;

fn listed(page: u32, rest: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"llmjson-mcp-proxy/{page}","result":{{"tools":[{rest}]}}"#)
        + "}\n"
}

fn pushed(mut push: impl FnMut(&mut Output)) -> (String, String, Vec<String>) {
    let mut out = Output::default();
    push(&mut out);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(out.to_server), text(out.to_client), out.notices)
}

/// Lets a client call a tool at once, and a server answer with these lines. Returns what reaches the server after the
/// first request for its tools, what reaches the client, and the messages for the operator.
fn answered(policy: Policy, lines: &[String]) -> (String, String, Vec<String>) {
    let Proxy {
        mut client,
        mut server,
        ..
    } = Proxy::new(policy);
    let line = format!("{CALL}\n");
    let (asked, told, _) = pushed(|out| client.push(line.as_bytes(), out));
    assert!(asked.contains("tools/list") && told.is_empty());
    let pieces = lines
        .iter()
        .flat_map(|line| line.as_bytes().chunks(1 << 20));
    let pieces: Vec<_> = pieces.collect();
    pushed(|out| pieces.iter().for_each(|piece| server.push(piece, out)))
}

#[test]
fn calls_without_a_list_are_answered_with_an_error() {
    let error = r#"{"id":"llmjson-mcp-proxy/1","error":{"code":-32603,"message":"no"}}"#.to_owned();
    let long = listed(1, &" ".repeat(LINE_BYTES_MAX));
    let odd = listed(1, r#"{"name":"weather","inputSchema":{"type":3}}"#);
    let pages: Vec<String> = (1..=256)
        .map(|page| listed(page, "").replacen("{\"tools\"", r#"{"nextCursor":"c","tools""#, 1))
        .collect();
    for lines in [vec![error + "\n"], vec![long], vec![odd], pages] {
        for policy in [Policy::tool(), Policy::exact()] {
            let (sent, told, notices) = answered(policy, &lines);
            assert!(!sent.contains("tools/call"), "{sent}");
            assert!(told.starts_with(r#"{"jsonrpc":"2.0","id":7"#), "{told}");
            assert!(told.ends_with("\"isError\":true}}\n") && told.lines().count() == 1);
            let mut notices = notices.iter();
            assert!(notices.any(|notice| notice.contains("with an error")));
        }
        let (sent, _, _) = answered(Policy::lenient(), &lines);
        assert!(sent.ends_with(&format!("{CALL}\n")), "{sent}");
    }
    // A whole list that has no such tool leaves the answer to the server.
    let (sent, _, _) = answered(Policy::tool(), &[listed(1, "")]);
    assert_eq!(sent, format!("{CALL}\n"));
}

#[test]
fn calls_do_not_wait_for_a_list_for_ever() {
    let Proxy {
        mut client,
        mut server,
        ..
    } = Proxy::new(Policy::tool());
    let line = format!("{CALL}\n");
    pushed(|out| client.push(line.as_bytes(), out));
    let list = client.awaited_list().expect("a call waits");
    let (sent, told, notices) = pushed(|out| list.give_up(out));
    assert!(
        sent.is_empty() && told.contains("\"isError\":true"),
        "{told}"
    );
    assert_eq!(notices.len(), 1);
    assert!(client.awaited_list().is_none());
    // A late list is not for the client, and serves the next call.
    let late = listed(
        1,
        r#"{"name":"weather","inputSchema":{"properties":{"days":{"type":"integer"}}}}"#,
    );
    let (sent, told, _) = pushed(|out| server.push(late.as_bytes(), out));
    assert_eq!((&*sent, &*told), ("", ""));
    let (sent, _, _) = pushed(|out| client.push(line.as_bytes(), out));
    assert!(sent.contains(r#""days":3"#), "{sent}");
    // The list that was given up ends no other wait.
    assert_eq!(pushed(|out| list.give_up(out)), Default::default());
}

#[test]
fn tools_that_are_listed_without_an_end_take_up_a_bounded_space() {
    let Proxy {
        mut client,
        mut server,
        ..
    } = Proxy::new(Policy::tool());
    let filler = "x".repeat(9_000_000);
    for page in 1..=2 {
        let cursor = if page == 1 { "null" } else { "\"c\"" };
        let asked = format!(
            "{{\"id\":{page},\"method\":\"tools/list\",\"params\":{{\"cursor\":{cursor}}}}}\n"
        );
        pushed(|out| client.push(asked.as_bytes(), out));
        let tool =
            format!(r#"{{"name":"weather{page}","description":"{filler}","inputSchema":{{}}}}"#);
        let reply =
            format!("{{\"id\":{page},\"result\":{{\"nextCursor\":\"c\",\"tools\":[{tool}]}}}}\n");
        pushed(|out| server.push(reply.as_bytes(), out));
    }
    for (page, is_known) in [(1, true), (2, false)] {
        let call = CALL.replace("weather", &format!("weather{page}")) + "\n";
        let (sent, _, _) = pushed(|out| client.push(call.as_bytes(), out));
        assert_eq!(sent.contains("tools/call"), is_known, "{page}");
    }
}

#[test]
fn calls_that_are_not_utf_8_or_nested_too_deep_are_answered() {
    let no_utf_8 = [b"{\"x\":\"\xff\",", &CALL.as_bytes()[1..], b"\n"].concat();
    let lists = "[".repeat(2_000) + &"]".repeat(2_000);
    let deep = CALL.replace("\"3\"", &lists) + "\n";
    for line in [no_utf_8, deep.into_bytes()] {
        let Proxy { mut client, .. } = Proxy::new(Policy::tool());
        pushed(|out| client.push(b"{\"id\":1,\"method\":\"tools/list\"}\n", out));
        let (sent, told, notices) = pushed(|out| client.push(&line, out));
        assert!(sent.is_empty() && !told.is_empty() && notices.len() == 1);
    }
}
