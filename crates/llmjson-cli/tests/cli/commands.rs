//! What the commands print and how they end.

use std::process::Stdio;

use crate::support::{Scratch, command, run};

const TRIP: &str = r#"{
  "type": "object",
  "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
  "required": ["city", "days"]
}"#;

#[test]
fn parse_prints_the_value() {
    let schema = Scratch::new(TRIP);
    let with_schema = ["parse", "--schema", schema.path()];
    // Arguments, reply, value.
    let table: &[(&[&str], &str, &str)] = &[
        (
            &["parse"],
            "Sure! {a: 1.50, 'b': [True,]}",
            r#"{"a":1.50,"b":[true]}"#,
        ),
        (
            &["parse", "-"],
            "[1e400, 123456789012345678901]",
            "[1e400,123456789012345678901]",
        ),
        (&["parse", "--policy", "lenient"], "[1]", "[1]"),
        (&["parse", "--pretty"], "{a: []}", "{\n  \"a\": []\n}"),
        (&["parse", "--arguments"], "  ", "{}"),
        (&["parse", "--arguments"], "null", "{}"),
        (
            &with_schema,
            "```json\n{City: 'Rome', days: \"3\"}",
            r#"{"city":"Rome","days":3}"#,
        ),
    ];
    for (args, reply, value) in table {
        let ran = run(args, reply);
        assert_eq!(
            (ran.code, ran.out),
            (Some(0), format!("{value}\n")),
            "{reply}"
        );
    }
}

#[test]
fn schemas_can_be_written_in_the_command() {
    for verb in ["parse", "coerce", "explain"] {
        let ran = run(&[verb, "--schema", TRIP], r#"{"city":"Rome","days":"3"}"#);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{verb}");
        assert!(ran.out.contains("3"), "{verb}: {}", ran.out);
    }
    let ran = run(&["parse", "--schema", "{\"type\": 1}"], "1");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("llmjson: --schema: "), "{}", ran.err);
}

#[test]
fn what_does_not_conform_gives_feedback_and_no_value() {
    let schema = Scratch::new(TRIP);
    let json = r#"{"city":"Rome","days":0}"#;
    for verb in ["parse", "coerce", "validate"] {
        let ran = run(&[verb, "--schema", schema.path()], json);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{verb}");
        let wanted =
            r#""days": 0 // ❌ [{"path":"$input.days","expected":"integer & Minimum<1>"}]"#;
        assert!(ran.err.contains(wanted), "{verb}: {}", ran.err);
    }
    let ran = run(&["parse"], "nothing to see");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err
            .starts_with("llmjson: standard input: the reply holds no JSON value\nThe reply"),
        "{}",
        ran.err
    );
}

#[test]
fn a_policy_refuses_with_a_place() {
    let ran = run(&["parse", "--policy", "strict"], "{\n  \"a\": 1,\n}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let wanted = "line 2, column 9: removed a stray comma";
    assert!(ran.err.contains(wanted), "{}", ran.err);
    let ran = run(
        &["parse", "--policy", "tool", "--finish-reason", "length"],
        "[1]",
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.contains("broke off at line 1, column 4"),
        "{}",
        ran.err
    );
    let ran = run(&["parse", "--policy", "tool", "--report"], "[1");
    let wanted = r#""refused":[{"kind":"truncated","start":2,"end":2,"line":1,"column":3,"#;
    assert!(ran.out.contains(wanted), "{}", ran.out);
    let schema = Scratch::new(TRIP);
    let args = ["coerce", "--policy", "exact", "--schema", schema.path()];
    let ran = run(&args, r#"{"City": "Rome", "days": "2"}"#);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(r#""city": undefined"#), "{}", ran.err);
    let ran = run(&["parse", "--policy", "mild"], "[1]");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("[possible values: lenient, strict, shape, conservative, tool, exact]"),
        "{}",
        ran.err
    );
}

#[test]
fn expectations_are_told_in_plain_words_on_request() {
    let schema = Scratch::new(r#"{"type": "integer", "minimum": 1}"#);
    for command in ["parse", "coerce", "validate"] {
        for (wording, expected) in [
            ("tags", "integer & Minimum<1>"),
            ("plain", "a whole number of at least 1"),
        ] {
            let args = [command, "--wording", wording, "--schema", schema.path()];
            let ran = run(&args, "0");
            let told = ran.out + &ran.err;
            assert!(told.contains(expected), "{args:?}: {told}");
        }
    }
}

#[test]
fn formats_are_taken_as_they_are_meant_or_to_the_letter() {
    let schema =
        Scratch::new(r#"{"properties": {"at": {"type": "string", "format": "date-time"}}}"#);
    let text = r#"{"at": "2025-05-01 10:00"}"#;
    let table: [(&[&str], bool); 11] = [
        (&["parse"], true),
        (&["parse", "--policy", "strict"], false),
        (
            &["parse", "--policy", "strict", "--formats", "lenient"],
            true,
        ),
        (&["parse", "--formats", "strict"], false),
        (&["parse", "--formats", "as_written"], true),
        (&["coerce"], true),
        (&["coerce", "--formats", "strict"], false),
        (&["coerce", "--formats", "as_written"], true),
        (&["validate"], true),
        (&["validate", "--formats", "lenient"], true),
        (&["validate", "--formats", "strict"], false),
    ];
    for (args, conforms) in table {
        let args = [args, &["--schema", schema.path()]].concat();
        assert_eq!(run(&args, text).code == Some(0), conforms, "{args:?}");
    }
    for (formats, written) in [
        ("lenient", "2025-05-01T10:00:00"),
        ("as_written", "2025-05-01 10:00"),
    ] {
        let args = ["parse", "--formats", formats, "--schema", schema.path()];
        let ran = run(&args, text);
        assert!(ran.out.contains(written), "{formats}: {}", ran.out);
    }
    for verb in ["parse", "coerce", "validate"] {
        let args = [verb, "--report", "--formats", "as_written"];
        let ran = run(&[&args[..], &["--schema", schema.path()]].concat(), text);
        let wanted = r#""notes":[{"kind":"meant_format","class":"likely","start":8,"end":24,"line":1,"column":9,"path":"$input.at","#;
        assert!(ran.out.contains(wanted), "{verb}: {}", ran.out);
    }
    let line = |op: &str| format!(r#"{{"id": 1, "op": "{op}", "input": {text}}}"#);
    for op in ["coerce", "validate"] {
        let args = ["batch", "--schema", schema.path(), "--formats", "strict"];
        let ran = run(&args, line(op));
        assert!(ran.out.contains(r#""ok":false"#), "{op}: {}", ran.out);
        let ran = run(&args[..3], line(op));
        assert!(ran.out.contains(r#""ok":true"#), "{op}: {}", ran.out);
    }
}

#[test]
fn a_truncated_reply_is_a_warning_and_exits_with_1() {
    let ran = run(&["parse"], "{\"a\": [1, 2");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "{\"a\":[1,2]}\n"));
    let warning = "llmjson: standard input: warning: the text is truncated; printed the part that \
                   could be read (--allow-truncated accepts it)\n";
    assert_eq!(ran.err, warning);
    // So it is if only half of a character is missing.
    let ran = run(&["parse"], b"{\"a\": \"Jos\xC3");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "{\"a\":\"Jos\"}\n"));
    assert_eq!(ran.err, warning);
    let ran = run(&["parse", "--allow-truncated"], "{\"a\": [1, 2");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn mistakes_are_one_line_that_says_what_and_where() {
    let trip = Scratch::new(TRIP);
    let trip = trip.path();
    let bad = Scratch::new(r#"{"properties": {"a": {"type": "int"}}}"#);
    let empty = Scratch::new(" \n");
    let torn = Scratch::new(r#"{"type": "object","#);
    let not_utf8 = Scratch::new(b"{\"a\": \"\xFF\"}");
    let (bad, empty, torn, not_utf8) = (bad.path(), empty.path(), torn.path(), not_utf8.path());
    // Arguments, standard input, exit code, message.
    let table: Vec<(Vec<&str>, &str, i32, String)> = vec![
        (vec!["parse", "no/such/file"], "", 2, "no/such/file: No such file or directory (os error 2)".into()),
        (vec!["parse", "--schema", "none.json"], "", 2, "none.json: No such file or directory (os error 2)".into()),
        (vec!["parse", "--schema", "."], "", 2, ".: is a directory".into()),
        (vec!["parse", not_utf8], "", 2, format!("{not_utf8}: the text is not UTF-8 at byte 7")),
        (vec!["validate", "--schema", not_utf8], "1", 2, format!("{not_utf8}: the text is not UTF-8 at byte 7")),
        (vec!["parse", "--schema", bad], "1", 2, format!("{bad}: there is no type \"int\" at /properties/a/type of the schema")),
        (vec!["parse", "--schema", empty], "1", 2, format!("{empty}: the text is empty, expected a JSON Schema")),
        (vec!["parse", "--schema", "-"], "1", 2, "standard input: cannot provide both the schema and the input".into()),
        (vec!["parse"], "", 1, "standard input: the text is empty: there is no value to read".into()),
        (vec![], "", 1, "standard input: the text is empty: there is no value to read".into()),
        (vec!["parse", empty], "", 1, format!("{empty}: the text is empty: there is no value to read")),
        (vec!["coerce", "--schema", trip], "", 2, "standard input: the text is empty, expected a JSON value".into()),
        (vec!["validate", "--schema", trip], "[\n  1,,]", 2, "standard input: not strict JSON at line 2, column 4 (byte 5): extra_comma; `llmjson parse` reads replies".into()),
        (vec!["mcp-proxy", "--", "no/such/server"], "", 2, "no/such/server: No such file or directory (os error 2)".into()),
        (vec!["stringify"], "[]", 2, "standard input: expected an object with an array at /errors".into()),
        (vec!["stringify"], r#"{"errors":[{"path":"$input"}]}"#, 2, "standard input: expected a string at /errors/0/expected".into()),
    ];
    for (args, input, code, message) in table {
        let ran = run(&args, input);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(code), ""),
            "{args:?}: {}",
            ran.err
        );
        assert_eq!(ran.err, format!("llmjson: {message}\n"), "{args:?}");
    }
    let ran = run(&["parse", "--schema", torn], "1");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("not strict JSON"), "{}", ran.err);
    for args in [
        &["parse", "--policy", "none"][..],
        &["coerce"],
        &["batch", "-j", "0"],
        &["mcp-proxy"],
        &["mcp-proxy", "--policy", "strict", "--", "cat"],
    ] {
        assert_eq!(run(args, "").code, Some(2), "{args:?}");
    }
}

#[test]
fn messages_show_the_control_characters_of_names() {
    let ran = run(&["parse", "a\x1b[2Jb"], "");
    assert_eq!(
        ran.err,
        "llmjson: a␛[2Jb: No such file or directory (os error 2)\n"
    );
}

#[test]
fn the_report_holds_everything() {
    let schema = Scratch::new(TRIP);
    let ran = run(
        &["parse", "--schema", schema.path(), "--report"],
        "é\n{city: 'Rome', days: \"3\"}",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let wanted = [
        r#"{"ok":true,"complete":true,"truncation":null,"certainty":"certain","value":{"city":"Rome","days":3},"repairs":["#,
        r#"{"kind":"unquoted_key","class":"certain","start":4,"end":8,"line":2,"column":2,"sentence":"read an unquoted key"}"#,
        r#""notes":[]"#,
        r#""coercions":[{"kind":"text_to_number","class":"certain","path":"$input.days","from":"string","to":"number","before":"3","after":3,"#,
        r#""violations":[]}"#,
    ];
    for part in wanted {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let ran = run(
        &["validate", "--schema", schema.path(), "--report"],
        r#"{"city": 1.0}"#,
    );
    assert_eq!(ran.code, Some(1));
    let wanted = [
        r#"{"ok":false,"complete":true,"truncation":null,"certainty":"certain","value":{"city":1.0},"#,
        r#"{"path":"$input.city","expected":"string","found":"number","value":1.0,"keyword":"type","#,
        r#"{"path":"$input.days","expected":"integer & Minimum<1>","found":"undefined","keyword":"required","#,
    ];
    for part in wanted {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    assert!(ran.err.contains("// ❌"));
    let pretty = run(&["parse", "--report", "--pretty"], "no JSON");
    assert!(
        pretty.out.starts_with("{\n  \"ok\": false,\n"),
        "{}",
        pretty.out
    );
    assert!(
        pretty.out.contains("\n  \"value\": null,\n"),
        "{}",
        pretty.out
    );
}

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
fn the_other_verbs_print_what_they_promise() {
    let schema = Scratch::new(TRIP);
    let path = schema.path();
    let ran = run(
        &["coerce", "--schema", path],
        r#"{"days": "3", "city": 7.10}"#,
    );
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "{\"days\":3,\"city\":\"7.10\"}\n")
    );
    let more = r#"{"days": 3, "city": "Rome", "more": 1}"#;
    let ran = run(&["validate", "--schema", path], more);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "", "")
    );
    let ran = run(&["validate", "--equals", "--schema", path], more);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("$input.more"), "{}", ran.err);
    let errors = r#"{"data": {"a": 1.0}, "errors": [{"path": "$input.a", "expected": "string",
        "value": 1, "description": {"$undefined": true}}]}"#;
    let ran = run(&["stringify"], errors);
    let wanted = "```json\n{\n  \"a\": 1.0 // ❌ [{\"path\":\"$input.a\",\"expected\":\"string\"}]\n}\n```\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), wanted));
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
fn every_command_explains_itself() {
    let commands = [
        "parse",
        "coerce",
        "validate",
        "stringify",
        "batch",
        "explain",
        "sse",
        "schema",
        "mcp-proxy",
        "playground",
    ];
    let all = run(&["--help"], "");
    assert_eq!(all.code, Some(0));
    assert!(all.out.contains("Exit codes:"));
    for name in commands {
        assert!(all.out.contains(name), "{name}");
        let help = run(&[name, "--help"], "");
        assert_eq!(help.code, Some(0), "{name}");
        assert!(help.out.contains("Usage: llmjson"), "{name}");
    }
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
