//! What `llmjson sse` prints and how it ends.

use crate::support::{Scratch, run};

const STREAM: &str = concat!(
    ": connected\r\n\r\n",
    "data: {\"id\":\"r1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"sig\":1.50,",
    "\"function\":{\"name\":\"weather\",\"arguments\":\"{\\\"city\\\"\"}}]}}]}\r\n\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":\\\"Oslo\\\"}\"}}]},",
    "\"finish_reason\":\"tool_calls\"}]}\r\n\r\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"cost\":1.0e-6}}\r\n\r\n",
    "data: [DONE]\r\n\r\n",
);

#[test]
fn a_stream_is_put_together() {
    let message = concat!(
        r#"{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","#,
        r#""function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"},"sig":1.50}]}"#,
    );
    let usage = r#"{"prompt_tokens":9,"cost":1.0e-6}"#;
    let summary = format!(
        "{{\"message\":{message},\"finish_reason\":\"tool_calls\",\"usage\":{usage},\"complete\":true}}\n"
    );
    let file = Scratch::new(STREAM);
    for (args, input) in [
        (&["sse"][..], STREAM),
        (&["sse", "-"], STREAM),
        (&["sse", file.path()], ""),
    ] {
        let ran = run(args, input);
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (Some(0), summary.as_str(), "")
        );
    }
    let ran = run(&["sse", "--pretty"], STREAM);
    assert!(
        ran.out
            .starts_with("{\n  \"message\": {\n    \"role\": \"assistant\","),
        "{}",
        ran.out
    );
    let ran = run(&["sse", "--response"], STREAM);
    let response = format!(
        "{{\"id\":\"r1\",\"choices\":[{{\"index\":0,\"message\":{message},\"finish_reason\":\"tool_calls\"}}],\"usage\":{usage}}}\n"
    );
    assert_eq!((ran.code, ran.out), (Some(0), response));
}

#[test]
fn what_is_wrong_is_said_beside_what_there_is() {
    let hello = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
    let message = r#"{"message":{"content":"hi"},"finish_reason":null,"usage":null,"complete":"#;
    let table = [
        (
            hello.to_owned(),
            0,
            format!("{message}false}}\n"),
            "warning: the stream ended early; printed the partial message",
        ),
        (
            format!("{hello}data: {{\"error\":{{\"message\":\"busy\",\"code\":7}}}}\n\n"),
            1,
            format!("{message}false,\"errors\":[{{\"message\":\"busy\",\"code\":\"7\"}}]}}\n"),
            "the server sent an error: busy (code 7)",
        ),
        (
            format!("{hello}data: <html>\n\n{hello}data: [DONE]\n\n"),
            1,
            format!("{message}false}}\n"),
            "malformed_frame: frame 1 is no chunk: expected value at line 1 column 1",
        ),
        (
            "{\"choices\":[]}".to_owned(),
            1,
            "{\"message\":null,\"finish_reason\":null,\"usage\":null,\"complete\":false}\n"
                .to_owned(),
            "the stream contains no message",
        ),
    ];
    for (stream, code, out, err) in table {
        let ran = run(&["sse"], &stream);
        let err = format!("llmjson: standard input: {err}\n");
        assert_eq!(
            (ran.code, ran.out, ran.err),
            (Some(code), out, err),
            "{stream}"
        );
    }
    let ran = run(
        &["sse", "--lenient"],
        format!("data: \u{1b}[2J\n\n{hello}data: [DONE]\n\n"),
    );
    assert_eq!((ran.code, ran.out), (Some(0), format!("{message}true}}\n")));
    assert!(
        ran.err.contains("warning: skipped frame 0: expected value"),
        "{}",
        ran.err
    );
    assert_eq!(run(&["sse", "no/such/file"], "").code, Some(2));
}
