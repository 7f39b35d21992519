//! What `llmjson stream` prints, when, and how it ends.

use std::io::{BufRead as _, BufReader, Write as _};

use crate::support::{Scratch, command, run};

const TRIP: &str = r#"{
  "type": "object",
  "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
  "required": ["city", "days"]
}"#;

/// Gives the binary one piece after the other, each when the lines for the one before have come, and
/// returns the lines of each piece, those of the end last.
fn follow(args: &[&str], pieces: &[(&[u8], usize)]) -> (Vec<Vec<String>>, Option<i32>) {
    let mut child = command(args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let stdout = child.stdout.take().expect("standard output is a pipe");
    let mut lines = BufReader::new(stdout).lines();
    let mut found = Vec::new();
    for (piece, count) in pieces {
        stdin.write_all(piece).expect("the binary reads");
        stdin.flush().expect("the binary reads");
        let now = lines.by_ref().take(*count);
        found.push(now.map(|line| line.expect("lines are UTF-8")).collect());
    }
    drop(stdin);
    found.push(lines.map(|line| line.expect("lines are UTF-8")).collect());
    (found, child.wait().expect("the binary ends").code())
}

#[test]
fn each_piece_is_shown_when_it_comes() {
    let e = "é".as_bytes();
    let (lines, code) = follow(
        &["stream"],
        &[
            (b"Sure: {\"city\": \"Par", 1),
            (b"is\", ", 1),
            (b"\"days\": 1", 0),
            (b"2, \"at\": \"Caf", 1),
            (&e[..1], 0),
            (&e[1..], 1),
            (b"\"}", 0),
        ],
    );
    let whole = r#"{"city":"Paris","days":12,"at":"Café"}"#;
    let last =
        format!(r#"{{"final":true,"ok":true,"complete":true,"superseded":false,"value":{whole}}}"#);
    let wanted: [&[&str]; 8] = [
        &[r#"{"value":{"city":"Par"}}"#],
        &[r#"{"value":{"city":"Paris"}}"#],
        &[],
        &[r#"{"value":{"city":"Paris","days":12,"at":"Caf"}}"#],
        &[],
        &[r#"{"value":{"city":"Paris","days":12,"at":"Café"}}"#],
        &[],
        &[&last],
    ];
    assert_eq!(lines, wanted);
    assert_eq!(code, Some(0));
}

#[test]
fn the_value_so_far_is_shown_once_in_a_period() {
    let first = r#"{"value":{"a":"x"}}"#;
    let second = r#"{"value":{"a":"xy"}}"#;
    let last = r#"{"final":true,"ok":true,"complete":true,"superseded":false,"value":{"a":"xy"}}"#;
    let table: [(&str, &[&str]); 2] = [("0", &[first, second, last]), ("3600000", &[first, last])];
    for (every, wanted) in table {
        let shown = usize::from(every == "0");
        let args = ["stream", "--every", every];
        let (lines, code) = follow(&args, &[(b"{\"a\": \"x", 1), (b"y", shown), (b"\"}", 0)]);
        assert_eq!(code, Some(0));
        assert_eq!(lines.concat(), wanted, "--every {every}");
    }
}

#[test]
fn the_first_line_of_each_value_comes_at_once_and_the_last_before_an_error() {
    let all = ["stream", "--all", "--every", "3600000"];
    let (lines, _) = follow(
        &all,
        &[(b"[1, [2, ", 1), (b"3]]\n[4, [5, ", 2), (b"6]]", 0)],
    );
    assert_eq!(lines[1][1], r#"{"index":1,"value":[4,[5]]}"#, "{lines:?}");
    let (lines, code) = follow(
        &["stream", "--every", "3600000"],
        &[(b"{\"a\": \"x", 1), (b"y\xFF", 1)],
    );
    assert_eq!(lines[1], [r#"{"value":{"a":"xy"}}"#]);
    assert_eq!(code, Some(2));
}

#[test]
fn with_a_schema_the_value_is_shown_as_it_wants_it() {
    let schema = Scratch::new(TRIP);
    let (lines, code) = follow(
        &["stream", "--schema", schema.path()],
        &[
            (b"{\"city\": \"Ro", 1),
            (b"me\", \"days\": \"1", 1),
            (b"2\"}\n", 1),
        ],
    );
    let wanted: [&[&str]; 4] = [
        &[r#"{"value":{"city":"Ro"}}"#],
        &[r#"{"value":{"city":"Rome"}}"#],
        &[r#"{"value":{"city":"Rome","days":12}}"#],
        &[
            r#"{"final":true,"ok":true,"complete":true,"superseded":false,"value":{"city":"Rome","days":12}}"#,
        ],
    ];
    assert_eq!(lines, wanted);
    assert_eq!(code, Some(0));
}

#[test]
fn events_tell_what_has_changed() {
    let (lines, code) = follow(
        &["stream", "--events"],
        &[
            (b"So: {\"a/b\": \"x", 4),
            (b"y\", \"c\": [7, ", 5),
            (b"true]} Bye", 5),
        ],
    );
    let wanted: [&[&str]; 4] = [
        &[
            r#"{"event":"passed","path":"","text":"So: "}"#,
            r#"{"event":"opened","path":"","kind":"object"}"#,
            r#"{"event":"opened","path":"/a~1b","kind":"string"}"#,
            r#"{"event":"appended","path":"/a~1b","text":"x"}"#,
        ],
        &[
            r#"{"event":"appended","path":"/a~1b","text":"y"}"#,
            r#"{"event":"settled","path":"/a~1b"}"#,
            r#"{"event":"opened","path":"/c","kind":"array"}"#,
            r#"{"event":"value","path":"/c/0","value":7}"#,
            r#"{"event":"settled","path":"/c/0"}"#,
        ],
        &[
            r#"{"event":"value","path":"/c/1","value":true}"#,
            r#"{"event":"settled","path":"/c/1"}"#,
            r#"{"event":"closed","path":"/c"}"#,
            r#"{"event":"settled","path":"/c"}"#,
            r#"{"event":"passed","path":"","text":" Bye"}"#,
        ],
        &[
            r#"{"event":"closed","path":""}"#,
            r#"{"event":"settled","path":""}"#,
            r#"{"final":true,"ok":true,"complete":true,"superseded":false,"value":{"a/b":"xy","c":[7,true]}}"#,
        ],
    ];
    assert_eq!(lines, wanted);
    assert_eq!(code, Some(0));
}

#[test]
fn several_values_are_delivered_one_by_one() {
    let schema = Scratch::new(r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#);
    let last = |index: usize, value: &str, complete: bool| {
        format!(
            r#"{{"index":{index},"final":true,"ok":true,"complete":{complete},"superseded":false,"value":{value}}}"#
        )
    };
    for (with_schema, first, second) in [
        (false, r#"{"n":"1"}"#, r#"{"n":"2"}"#),
        (true, r#"{"n":1}"#, r#"{"n":2}"#),
    ] {
        let mut args = vec!["stream", "--all"];
        if with_schema {
            args.extend(["--schema", schema.path()]);
        }
        let (lines, code) = follow(
            &args,
            &[(b"{\"n\": \"1\"}\n{\"n\"", 1), (b": \"2\"", 1), (b"", 0)],
        );
        assert_eq!(lines[0], [last(0, first, true)]);
        assert!(
            lines[1][0].starts_with(r#"{"index":1,"value":{"#),
            "{lines:?}"
        );
        assert_eq!(lines[3], [last(1, second, false)], "{lines:?}");
        assert_eq!(code, Some(0));
        args.push("--events");
        let ran = run(&args, "{\"n\": \"1\"}\n{\"n\": \"2\"}\n");
        let settled = ran.out.matches(r#""event":"settled""#).count();
        assert_eq!(settled, 4, "{}", ran.out);
    }
}
