//! The MCP proxy where messages come one by one, each with its own answer.

use llmjson_mcp::{FromClient, Listed, Proxy, Session, Treated};
use llmjson_reply::Policy;

const TOOLS: &str = r#"{"tools":[{"name":"weather","inputSchema":{"properties":{"city":{"type":"string","x-mcp-header":"City"},"days":{"type":"integer","x-mcp-header":"Days"},"deep":{"properties":{"now":{"type":"boolean","x-mcp-header":"Now"}}},"bad":{"type":"string","x-mcp-header":"a b"}}}}]}"#;

fn result(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TOOLS}}}"#)
}

fn call(arguments: &str) -> String {
    format!(
        r#"{{"id":7,"method":"tools/call","params":{{"name":"weather","arguments":{arguments}}}}}"#
    )
}

/// A session whose client has asked for the list.
fn informed() -> Session {
    let session = Session::new(Policy::tool());
    let list = br#"{"id":"a","method":"tools/list"}"#;
    assert!(session.asks_for_list(list));
    assert_eq!(session.send(list, &mut Vec::new()), Treated::Unchanged);
    session.receive(result("\"a\"").as_bytes(), &mut Vec::new());
    session
}

fn sent(session: &Session, message: &str) -> Treated {
    session.send(message.as_bytes(), &mut Vec::new())
}

#[test]
fn calls_are_changed_answered_or_left() {
    let session = informed();
    assert!(!session.needs_list(call("{}").as_bytes()));
    assert_eq!(sent(&session, &call(r#"{"days":3}"#)), Treated::Unchanged);
    assert_eq!(
        sent(&session, &call(r#"{"days":"3"}"#)),
        Treated::Changed(call(r#"{"days":3}"#))
    );
    // Line breaks stay where they are.
    let message = call("{\n\"days\"\n:\"3\"}").replace("\"id\":7", "\r\n\"id\":7\r\n");
    let Treated::Changed(changed) = sent(&session, &message) else {
        panic!("it is changed");
    };
    assert!(changed.contains("\r\n\"id\":7\r\n") && changed.contains(r#"{"days":3}"#));
    let Treated::Answered(Some(answer)) = sent(&session, &call(r#"{"days":"soon"}"#)) else {
        panic!("it is answered");
    };
    assert!(answer.contains(r#""id":7"#) && answer.contains(r#""isError":true"#));
    assert_eq!(sent(&session, "no JSON"), Treated::Unchanged);
    assert!(!session.asks_for_list(call("{}").as_bytes()));
}

#[test]
fn the_list_is_asked_for_until_the_server_answers() {
    let session = Session::new(Policy::tool());
    let message = call(r#"{"days":"3"}"#);
    assert!(!session.needs_list(br#"{"id":1,"method":"ping"}"#));
    assert!(session.needs_list(message.as_bytes()));
    let first = session
        .request_for_list(message.as_bytes())
        .expect("a request");
    // While it is awaited, other calls wait, and no second request is made.
    assert!(session.needs_list(message.as_bytes()));
    assert_eq!(session.request_for_list(message.as_bytes()), None);
    session.not_listed();
    let second = session
        .request_for_list(message.as_bytes())
        .expect("a request");
    assert!(first.contains("tools/list") && second.contains("tools/list"));
    let mut notices = Vec::new();
    assert_eq!(
        session.listed(result("1").as_bytes(), &mut notices),
        Listed::Other
    );
    let id = r#""llmjson-mcp-proxy/1""#;
    let more = result(id).replacen("{\"tools\"", "{\"nextCursor\":\"c\",\"tools\"", 1);
    let Listed::Ask(next) = session.listed(more.as_bytes(), &mut notices) else {
        panic!("there is more");
    };
    assert!(next.contains(r#""cursor":"c""#), "{next}");
    let last = result(r#""llmjson-mcp-proxy/2""#);
    assert_eq!(session.listed(last.as_bytes(), &mut notices), Listed::Done);
    assert!(notices.is_empty() && !session.needs_list(message.as_bytes()));
    assert_eq!(
        sent(&session, &message),
        Treated::Changed(call(r#"{"days":3}"#))
    );
    // Without a list no call is sent that a policy wants checked, and the next one asks again.
    let error = format!(r#"{{"id":{id},"error":{{"code":-32601,"message":"none"}}}}"#);
    for (policy, is_checked) in [(Policy::tool(), true), (Policy::lenient(), false)] {
        let (session, mut notices) = (Session::new(policy), Vec::new());
        session
            .request_for_list(message.as_bytes())
            .expect("a request");
        assert_eq!(session.listed(error.as_bytes(), &mut notices), Listed::Done);
        assert_eq!(notices.len(), 1);
        let treated = sent(&session, &message);
        assert_eq!(
            matches!(treated, Treated::Answered(Some(_))),
            is_checked,
            "{treated:?}"
        );
        assert_eq!(session.needs_list(message.as_bytes()), is_checked);
    }
}

#[test]
fn parts_of_messages_are_told_as_headers() {
    let session = informed();
    let told = |message: &str| session.mirrored(message.as_bytes());
    let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let arguments = r#"{"city":"Tromsø","days":-3.0,"deep":{"now":true},"bad":"x"}"#;
    let version = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"name""#;
    assert_eq!(
        told(&call(arguments).replace("{\"name\"", version)),
        [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "weather"),
            ("mcp-param-city", "Tromsø"),
            ("mcp-param-days", "-3"),
            ("mcp-param-now", "true"),
        ]
        .map(pair)
    );
    assert_eq!(
        told(&call(r#"{"city":null,"deep":1}"#)),
        [("mcp-method", "tools/call"), ("mcp-name", "weather")].map(pair)
    );
    assert_eq!(
        told(r#"{"method":"resources/read","params":{"uri":"file:///a","name":"b"}}"#),
        [("mcp-method", "resources/read"), ("mcp-name", "file:///a")].map(pair)
    );
    assert!(told("").is_empty() && told("[]").is_empty());
    let Proxy { client, .. } = Proxy::new(Policy::tool());
    assert_eq!(
        FromClient::mirrored(&client, br#"{"method":"ping"}"#),
        [("mcp-method", "ping")].map(pair)
    );
}
