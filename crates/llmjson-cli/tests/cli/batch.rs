//! What `batch` answers, in which order, and how it ends.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};

use crate::support::{Ran, Scratch, command, run};

fn lines_of(ran: &Ran) -> Vec<String> {
    ran.out.lines().map(str::to_owned).collect()
}

fn answer(line: &str) -> String {
    let ran = run(&["batch", "-j", "1"], line);
    let mut answers = lines_of(&ran);
    assert_eq!(answers.len(), 1, "{line}\n{}\n{}", ran.out, ran.err);
    answers.remove(0)
}

#[test]
fn each_operation_answers() {
    let nothing_done =
        r#""complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]}"#;
    // Line, answer.
    let table = [
        (
            r#"{"id":1,"input":"{a: 1.50}"}"#,
            r#"{"id":1,"ok":true,"value":{"a":1.50},"complete":true,"certainty":"certain","repairs":[{"kind":"unquoted_key","class":"certain","start":1,"end":2}],"coercions":[],"violations":[]}"#.to_owned(),
        ),
        (
            r#"{"id":{"n":12345678901234567890123,"f":1.0},"input":"[1]","other":1}"#,
            format!(r#"{{"id":{{"n":12345678901234567890123,"f":1.0}},"ok":true,"value":[1],{nothing_done}"#),
        ),
        (
            r#"{"input":"\"3\"","schema":{"type":"integer"}}"#,
            r#"{"id":null,"ok":true,"value":3,"complete":true,"certainty":"certain","repairs":[],"coercions":[{"kind":"text_to_number","class":"certain","path":"$input"}],"violations":[]}"#.to_owned(),
        ),
        (
            r#"{"id":"a","op":"arguments","input":""}"#,
            format!(r#"{{"id":"a","ok":true,"value":{{}},{nothing_done}"#),
        ),
        (
            r#"{"id":"c","op":"coerce","input":{"a":"1","b":98765432109876543210},"schema":{"properties":{"a":{"type":"integer"}}}}"#,
            r#"{"id":"c","ok":true,"value":{"a":1,"b":98765432109876543210},"complete":true,"certainty":"certain","repairs":[],"coercions":[{"kind":"text_to_number","class":"certain","path":"$input.a"}],"violations":[]}"#.to_owned(),
        ),
        (
            r#"{"id":"v","op":"validate","input":{"a":-1.0},"schema":{"properties":{"a":{"type":"number","minimum":0}}}}"#,
            r#"{"id":"v","ok":false,"value":{"a":-1.0},"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[{"path":"$input.a","expected":"number & Minimum<0>"}]}"#.to_owned(),
        ),
        (
            r#"{"id":"v","op":"validate","input":{"b":1},"schema":{"type":"object","properties":{}}}"#,
            format!(r#"{{"id":"v","ok":true,"value":{{"b":1}},{nothing_done}"#),
        ),
        (
            r#"{"id":"v","op":"validate","input":null,"schema":true}"#,
            format!(r#"{{"id":"v","ok":true,"value":null,{nothing_done}"#),
        ),
        (
            r#"{"id":"s","op":"stringify","input":{"data":{"a":1.0},"errors":[{"path":"$input.a","expected":"string"}]}}"#,
            format!(r#"{{"id":"s","ok":true,"value":"```json\n{{\n  \"a\": 1.0 // ❌ [{{\"path\":\"$input.a\",\"expected\":\"string\"}}]\n}}\n```",{nothing_done}"#),
        ),
        (
            r#"{"id":"x","input":"{\"file\":\"a\"}","schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"aliases":{"path":["file"]},"policy":"lenient"}"#,
            r#"{"id":"x","ok":true,"value":{"path":"a"},"complete":true,"certainty":"certain","repairs":[],"coercions":[{"kind":"key_alias","class":"certain","path":"$input.path"}],"violations":[]}"#.to_owned(),
        ),
        (
            r#"{"id":"t","input":"[1, 2"}"#,
            r#"{"id":"t","ok":true,"value":[1,2],"complete":false,"cut":"value","certainty":"likely","repairs":[{"kind":"unclosed_array","class":"certain","start":5,"end":5}],"coercions":[],"violations":[]}"#.to_owned(),
        ),
        (
            r#"{"id":"e","input":""}"#,
            format!(r#"{{"id":"e","ok":false,"value":null,{},"error":"the text is empty: there is no value to read"}}"#, nothing_done[..nothing_done.len() - 1].replace("\"certain\"", "null")),
        ),
    ];
    for (line, wanted) in table {
        assert_eq!(answer(line), wanted, "{line}");
    }
}

#[test]
fn policies_are_kept() {
    let schema = r#""schema":{"type":"object","properties":{"n":{"type":"integer"}}}"#;
    // Members of the line, members of the answer.
    let table = [
        (
            r#""input":"{n: 1}","policy":"tool""#,
            r#""ok":true,"value":{"n":1},"complete":true,"certainty":"certain","repairs":[{"kind":"unquoted_key","class":"certain","start":1,"end":2}],"coercions":[],"violations":[]"#,
        ),
        (
            r#""input":"{n: 1}","policy":"strict""#,
            r#""ok":false,"value":{"n":1},"complete":true,"certainty":"certain","repairs":[{"kind":"unquoted_key","class":"certain","start":1,"end":2}],"coercions":[],"violations":[],"refused":[{"kind":"unquoted_key","start":1,"end":2}]"#,
        ),
        (
            r#""input":"{\"n\": 1}","policy":"exact","finish_reason":"length""#,
            r#""ok":false,"value":{"n":1},"complete":false,"cut":"value","certainty":"likely","repairs":[],"coercions":[],"violations":[],"refused":[{"kind":"truncated","start":8,"end":8}]"#,
        ),
        (
            r#""op":"arguments","input":"","policy":"tool""#,
            r#""ok":true,"value":{},"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]"#,
        ),
        (
            r#""op":"coerce","input":{"n":"1"},"policy":"strict""#,
            r#""ok":false,"value":{"n":"1"},"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[{"path":"$input.n","expected":"integer | undefined"}]"#,
        ),
    ];
    for (line, wanted) in table {
        let line = format!("{{{line},{schema}}}");
        assert_eq!(
            answer(&line),
            format!(r#"{{"id":null,{wanted}}}"#),
            "{line}"
        );
    }
    let ran = run(&["batch", "--policy", "strict"], r#"{"input":"[1,]"}"#);
    assert!(
        ran.out.contains(r#""kind":"extra_comma","start":2"#),
        "{}",
        ran.out
    );
}

#[test]
fn undeclared_members_are_rejected_on_request() {
    let line = r#"{"op":"validate","input":{"b":1},"equals":true,"schema":{"type":"object","properties":{}}}"#;
    let answer = answer(line);
    assert!(
        answer.contains(r#""ok":false"#)
            && answer.contains(r#"{"path":"$input.b","expected":"undefined""#),
        "{answer}"
    );
}

#[test]
fn lines_that_cannot_be_used_say_why_and_the_rest_goes_on() {
    // Line, error, id.
    let table = [
        ("not JSON", "not strict JSON", ""),
        ("[1]", "expected a JSON object, found array", ""),
        (r#"{"id":7}"#, "missing member \"input\"", "7"),
        (
            r#"{"id":7,"input":5}"#,
            "input: expected a string, found number",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","op":"dance"}"#,
            "op: \"dance\" is not one of parse, arguments, bind, calls, coerce, validate, stringify",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","policy":"mild"}"#,
            "policy: \"mild\" is not one of lenient, strict, shape, conservative, tool, exact",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","finish_reason":1}"#,
            "finish_reason: expected a string",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","equals":1}"#,
            "equals: expected true or false",
            "7",
        ),
        (
            r#"{"id":7,"input":1,"op":"coerce"}"#,
            "missing schema: expected a member \"schema\" or the option --schema",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","schema":{"type":"int"}}"#,
            "there is no type \"int\" at /type of the schema",
            "7",
        ),
        (r#"{"id":7,"input":"1","schema":"x"}"#, "of the schema", "7"),
        (
            r#"{"id":7,"input":"1","aliases":{"a":["b"]}}"#,
            "aliases: there is no schema to add them to",
            "7",
        ),
        (
            r#"{"id":7,"input":"1","schema":{},"aliases":{"a":["b"]}}"#,
            "aliases: the root of the schema declares no property \"a\"",
            "7",
        ),
        (
            r#"{"id":7,"input":{},"op":"stringify"}"#,
            "expected an object with an array at /errors",
            "7",
        ),
    ];
    let mut input = String::new();
    for (line, ..) in table {
        writeln!(input, "{line}\n{{\"id\":\"fine\",\"input\":\"[1]\"}}")
            .expect("a string takes all");
    }
    let ran = run(&["batch", "-j", "3"], &input);
    let count = table.len();
    let told = format!(
        "llmjson: {} rows: {count} ok, 0 failed, {count} unreadable\n\
         llmjson: line 1 (first unreadable row): {}",
        2 * count,
        table[0].1
    );
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with(&told), "{}", ran.err);
    let answers: Vec<&str> = ran.out.lines().collect();
    assert_eq!(answers.len(), 2 * table.len());
    for (index, (line, error, id)) in table.iter().enumerate() {
        let number = 2 * index + 1;
        let id = if id.is_empty() {
            String::new()
        } else {
            format!("\"id\":{id},")
        };
        let start = format!("{{\"line\":{number},{id}\"ok\":false,\"error\":\"");
        let answer = answers[2 * index];
        assert!(answer.starts_with(&start), "{line}\n{answer}");
        let error = error.replace('"', "\\\"");
        assert!(answer.contains(&error), "{line}\n{answer}");
        assert!(answers[2 * index + 1].starts_with(r#"{"id":"fine","ok":true,"#));
    }
}

#[test]
fn bytes_that_are_not_utf8_spoil_their_line_only() {
    let ran = run(&["batch"], b"{\"input\":\"\xFF\"}\r\n\n{\"input\":\"1\"}");
    assert_eq!(ran.code, Some(1));
    let answers = lines_of(&ran);
    assert_eq!(
        answers[0],
        r#"{"line":1,"ok":false,"error":"the text is not UTF-8 at byte 10"}"#
    );
    assert!(
        answers[1].starts_with(r#"{"id":null,"ok":true,"value":1,"#),
        "{}",
        answers[1]
    );
}

#[test]
fn order_is_kept_on_many_threads() {
    let count = 5_000;
    let mut input = String::new();
    for id in 0..count {
        // Some lines take much longer than others.
        let items = "'x', ".repeat(if id % 37 == 0 { 2_000 } else { id % 5 });
        writeln!(input, "{{\"id\":{id},\"input\":\"[{items}]\"}}").expect("a string takes all");
    }
    let ran = run(&["batch", "-j", "4"], &input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let mut lines = 0;
    for (id, line) in ran.out.lines().enumerate() {
        assert!(
            line.starts_with(&format!("{{\"id\":{id},\"ok\":true,")),
            "{id}"
        );
        lines += 1;
    }
    assert_eq!(lines, count);
    assert_eq!(
        lines_of(&run(&["batch", "-j", "1"], &input)),
        lines_of(&ran)
    );
}

#[test]
fn names_and_the_schema_for_all_lines_can_be_given() {
    let schema = Scratch::new(r#"{"type":"integer"}"#);
    let lines = Scratch::new(
        "{\"id\":1,\"reply\":\"\\\"3\\\"\"}\n{\"id\":2,\"reply\":\"\\\"3\\\"\",\"shape\":{\"type\":\"string\"}}\n\
         {\"id\":3,\"reply\":\"\\\"x\\\"\",\"shape\":null}\n",
    );
    let args = ["batch", "--schema", schema.path(), lines.path()];
    for places in [
        ["--input-key", "reply", "--schema-key", "shape"],
        ["--text", "reply", "--schema-from", "shape"],
        ["--text", "/reply", "--schema-from", "/shape"],
    ] {
        let ran = run(&[&args[..], &places].concat(), "");
        assert_eq!(ran.code, Some(1));
        let starts = [
            r#"{"id":1,"ok":true,"value":3,"#,
            r#"{"id":2,"ok":true,"value":"3","#,
            r#"{"id":3,"ok":false,"value":"x","#,
        ];
        for (line, start) in ran.out.lines().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
    }
}

#[test]
fn an_answer_comes_as_soon_as_its_line_is_written() {
    let mut child = command(&["batch", "-j", "2"])
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    for id in 0..3 {
        writeln!(stdin, "{{\"id\":{id},\"input\":\"{{}}\"}}").expect("the line is read");
        let mut answer = String::new();
        answers
            .read_line(&mut answer)
            .expect("an answer can be read");
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("the binary ends").code(), Some(0));
}

#[test]
fn it_ends_quietly_when_nobody_reads() {
    let mut child = command(&["batch"]).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut out = child.stdout.take().expect("standard output is a pipe");
    let line = "{\"input\":\"[1]\"}\n".repeat(1_000);
    stdin
        .write_all(line.as_bytes())
        .expect("the lines are read");
    let mut some = [0; 10];
    out.read_exact(&mut some).expect("there is an answer");
    drop(out);
    // It may already be gone, or gone after some more lines: that closes the pipe.
    while stdin.write_all(line.as_bytes()).is_ok() {}
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut said)
        .expect("UTF-8");
    assert_eq!(
        (child.wait().expect("the binary ends").code(), said.as_str()),
        (Some(0), "")
    );
}

#[test]
fn a_missing_file_is_an_error_and_no_lines_are_fine() {
    let ran = run(&["batch", "no/such.jsonl"], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert_eq!(
        ran.err,
        "llmjson: no/such.jsonl: No such file or directory (os error 2)\n"
    );
    assert_eq!(run(&["batch"], "").code, Some(0));
    // Without a command, what looks like a file is one.
    let ran = run(&["no_such.txt"], "");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            Some(2),
            "llmjson: no_such.txt: No such file or directory (os error 2)\n"
        )
    );
}

#[test]
fn values_are_printed_with_the_keys_that_are_kept() {
    let ran = run(
        &["batch", "--only", "value", "--keep"],
        r#"{"id": 1, "input": "{n: 1}", "who": "Ada"}"#,
    );
    assert_eq!(lines_of(&ran), [r#"{"value":{"n":1},"who":"Ada"}"#]);
}

#[test]
fn a_path_of_another_notation_is_hinted_at() {
    let ran = run(
        &["batch", "--text", "choices[0].text"],
        r#"{"choices": [{"text": "[1]"}]}"#,
    );
    assert!(
        ran.out.contains("as a JSON Pointer: /choices/0/text"),
        "{}",
        ran.out
    );
    assert!(
        run(&["batch", "-o", "answers.csv"], "")
            .err
            .contains("not as CSV")
    );
}

#[test]
fn what_is_asked_for_holds_whatever_the_policy() {
    let lines = concat!(
        r#"{"input":"[1, \"many\"]","schema":{"items":{"type":"integer"}}}"#,
        "\n",
        r#"{"input":"{\"a\":\"x\"}","schema":{"properties":{"a":{"type":"integer"},"b":{"default":2}}},"policy":"tool"}"#,
    );
    let plain = lines_of(&run(&["batch", "-j", "1"], lines));
    assert!(
        plain.iter().all(|line| line.contains(r#""ok":false"#)),
        "{plain:?}"
    );
    let asked = run(
        &["batch", "-j", "1", "--invalid", "drop", "--defaults"],
        lines,
    );
    assert_eq!(
        lines_of(&asked),
        [
            r#"{"id":null,"ok":true,"value":[1],"complete":true,"certainty":"guess","repairs":[],"coercions":[{"kind":"drop_invalid","class":"guess","path":"$input[1]","before":"\"many\"","violations":[{"path":"$input[1]","expected":"integer"}]}],"violations":[]}"#,
            r#"{"id":null,"ok":true,"value":{"b":2},"complete":true,"certainty":"guess","repairs":[],"coercions":[{"kind":"default","class":"likely","path":"$input.b"},{"kind":"drop_invalid","class":"guess","path":"$input.a","before":"\"x\"","violations":[{"path":"$input.a","expected":"integer | undefined"}]}],"violations":[]}"#,
        ]
    );
    let replaced = lines_of(&run(&["batch", "-j", "1", "--invalid", "replace"], lines));
    assert!(replaced[0].contains(r#""value":[1,null]"#), "{replaced:?}");
    assert!(
        replaced[0].contains(r#"{"kind":"replace_invalid""#),
        "{replaced:?}"
    );
}
