//! What the commands print and how they end.

use std::process::Stdio;

use crate::support::{Scratch, command, run};

const TRIP: &str = r#"{
  "type": "object",
  "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
  "required": ["city", "days"]
}"#;

#[test]
fn the_report_is_that_of_the_library() {
    let scratch = Scratch::new(TRIP);
    let schema = llmjson::Schema::from_text(TRIP).expect("a schema");
    let texts = [
        "",
        "no JSON",
        "é\n{city: 'Rome', days: \"3\"}",
        "{\"city\": [1], \"days\": null, \"days\": 2.5, \"z\": {}, \"a\": 1",
        "<think>{}</think>\n```json\n{'city': 'Rome',\n 'when': -1, days: \"1,000\"\n",
    ];
    for (text, name) in texts
        .iter()
        .flat_map(|text| [(text, "lenient"), (text, "tool")])
    {
        let policy = llmjson::Policy::named(name).expect("a preset");
        let parsed = policy.parse(text, Some(&schema));
        let wanted = serde_json::to_string(&parsed.report()).expect("it is JSON");
        let command = [
            "parse",
            "--policy",
            name,
            "--schema",
            scratch.path(),
            "--report",
        ];
        assert_eq!(run(&command, text).out.trim_end(), wanted, "{name} {text}");
    }
}

#[test]
fn nobody_reading_is_no_error() {
    let mut child = command(&["parse"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let reply = format!("[{}1]", "1,".repeat(100_000));
    std::io::Write::write_all(&mut stdin, reply.as_bytes()).expect("the reply is read");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn the_demo_shows_what_it_should() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/demo");
    let [order, order_schema, invoice, invoice_schema] = [
        "order.txt",
        "order.schema.json",
        "invoice.txt",
        "invoice.schema.json",
    ]
    .map(|name| format!("{corpus}/{name}"));
    let accept = "--allow-truncated";
    let ran = run(&["parse", accept, "--schema", &order_schema, &order], "");
    let wanted = concat!(
        r#"{"order":{"customer":{"name":"Zoë \"Zo\" Miller","vip":true,"email":null},"#,
        r#""payment":{"type":"card","cardNumber":"4111-1111-1111-1111","expires":"2027-09"},"#,
        r#""items":[{"product":"Desk lamp","quantity":2,"price":39.90},"#,
        r#"{"product":"Cable, 3 m","quantity":1,"price":4.50}],"express":true,"#,
        r#""note":"Please ring twice,\nthe bell is broken","total":84.30}}"#,
        "\n"
    );
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), wanted),
        "{}",
        ran.err
    );
    let ran = run(&["parse", "--schema", &invoice_schema, &invoice], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    for part in [
        "$input.issued",
        "$input.lines[1].hours",
        "nearest allowed value is `\\\"EUR\\\"`",
        "\"due\": undefined",
    ] {
        assert!(ran.err.contains(part), "{part}\n{}", ran.err);
    }
}
