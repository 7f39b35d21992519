//! What people expect of any command: completions, manual pages, limits, exit codes on request.

use std::fs;
use std::path::Path;

use crate::support::{Scratch, run};

#[test]
fn completions_and_manual_pages_know_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell], "");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.out.contains("fail-on") && ran.out.contains("mcp-proxy"));
    }
    let ran = run(&["man"], "");
    assert!(ran.out.contains(".TH llmjson 1") && ran.out.contains("explain"));
    let ran = run(&["man", "repair"], "");
    assert!(ran.out.contains("\\-\\-in\\-place"), "{}", ran.out);
    let ran = run(&["man", "nonsense"], "");
    let wanted = "llmjson: nonsense: there is no command of this name\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), wanted));
}

#[test]
fn what_is_wrong_with_arguments_is_said_visibly() {
    let table: &[&[&str]] = &[
        &["parse", "--\x1b[2J"],
        &["\u{9b}31m"],
        &["parse", "--policy", "a\u{202e}b\x07"],
        &["batch", "-j", "1\r2"],
        &["explain", "--readings=1..\x1b]0;x\x07"],
        &["completions", "bash", "b\x1bc"],
    ];
    for args in table {
        let ran = run(args, "");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.starts_with("error: "), "{args:?}: {}", ran.err);
        let hides = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ran.err.contains(hides), "{args:?}: {:?}", ran.err);
        assert!(
            ran.err.contains(['␛', '␍']) || ran.err.contains("<U+"),
            "{}",
            ran.err
        );
    }
    let ran = run(&["parse", "--nonsense"], "");
    assert!(ran.err.contains("'--nonsense'"), "{}", ran.err);
    let ran = run(&["--version"], "");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn values_that_are_not_sure_enough_fail_on_request() {
    let guess = "Either {cents: 100} or {cents: 1000}.";
    let table = [
        ("truncated", "[1, 2", Some("the text is truncated")),
        ("truncated", guess, None),
        ("guess", guess, Some("the value is a guess")),
        ("guess", "{\"a\" 1}", None),
        (
            "likely",
            "{\"a\" 1}",
            Some("the value is likely, not certain"),
        ),
        ("likely,truncated", "{a: 1}", None),
    ];
    for (what, reply, reason) in table {
        let ran = run(&["parse", "--fail-on", what], reply);
        let is_said = reason.is_some_and(|reason| ran.err.ends_with(&format!("{reason}\n")));
        assert_eq!(ran.code == Some(1), reason.is_some(), "{what}: {reply}");
        assert_eq!(ran.out.is_empty(), reason.is_some(), "{what}: {reply}");
        assert_eq!(is_said, reason.is_some(), "{what}: {reply}: {}", ran.err);
        let line = format!("{{\"input\": {}}}", quoted(reply));
        for args in [&["explain"][..], &["batch"]] {
            let input = if args == ["batch"] { &line } else { reply };
            let ran = run(&[args, &["--fail-on", what]].concat(), input);
            assert_eq!(ran.code == Some(1), reason.is_some(), "{args:?} {what}");
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    llmjson::syntax::write_string(text, &mut out);
    out
}

#[test]
fn limits_are_options() {
    let deep = "[[[1]]]";
    let ran = run(&["parse", "--max-depth", "2"], deep);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let ran = run(&["parse", "--max-bytes", "3"], deep);
    assert_eq!(ran.code, Some(1));
    assert_eq!(run(&["parse", "--max-depth", "3"], deep).code, Some(0));
    let line = r#"{"input": "[[[1]]]"}"#;
    for option in ["--max-depth", "--max-bytes"] {
        let said = format!("; {option} raises this limit");
        let ran = run(&["parse", option, "1"], deep);
        assert!(ran.err.contains(&said), "{option}: {}", ran.err);
        let ran = run(&["batch", option, "1"], line);
        assert!(ran.out.contains(&said), "{option}: {}", ran.out);
    }
    // No option goes deeper, and this command has none.
    let ran = run(&["parse"], "[".repeat(600));
    assert!(
        ran.err.contains("deeper") && !ran.err.contains("--max"),
        "{}",
        ran.err
    );
    // A policy of a line has the limits of the command.
    let line = r#"{"input": "[[[1]]]", "policy": "strict"}"#;
    assert_eq!(run(&["batch", "--max-depth", "2"], line).code, Some(1));
    assert_eq!(run(&["batch"], line).code, Some(0));
}

#[test]
fn json_has_colours_on_request() {
    let ran = run(&["parse", "--color", "always"], "{a: 1}");
    assert_eq!(ran.out, "{\x1b[34m\"a\"\x1b[0m:\x1b[36m1\x1b[0m}\n");
    assert_eq!(run(&["parse"], "{a: 1}").out, "{\"a\":1}\n");
}

const LINES: &str = "{\"id\": 1, \"input\": \"{a: 1}\", \"user\": {\"x\": [1.0]}, \"ns\": 5}\n\
    {\"id\": \"<b>\", \"input\": \"{a: 'x'\", \"schema\": {\"properties\": {\"a\": {\"type\": \"integer\"}}}}\n\
    oops\n\
    {\"op\": \"stringify\", \"input\": {\"data\": 1, \"errors\": []}}\n";

#[test]
fn other_members_of_a_line_are_kept_on_request() {
    let ran = run(&["batch", "--keep"], LINES);
    let first = ran.out.lines().next().expect("an answer");
    assert!(first.ends_with(",\"user\":{\"x\": [1.0]}}"), "{first}");
    assert!(!run(&["batch"], LINES).out.contains("user"));
}

#[test]
fn batches_are_counted_and_shown_as_a_page() {
    let page = Scratch::new("");
    let ran = run(&["batch", "--counts", "--summary", page.path()], LINES);
    assert_eq!(ran.code, Some(1));
    for line in [
        "llmjson: 4 rows: 2 ok, 1 failed, 1 unreadable",
        "llmjson: certain: 1 row",
        "llmjson: repairs: unquoted_key: 2 rows, 2 times",
        "llmjson: what does not fit the schema: type: 1 row, 1 times",
    ] {
        assert!(
            ran.err.lines().any(|one| one == line),
            "{line}: {}",
            ran.err
        );
    }
    let page = std::fs::read_to_string(page.path()).expect("there is a page");
    for part in [
        "4 replies: 2 ok, 1 not, 1 not usable; 1 truncated",
        "<code>unquoted_key</code>: read an unquoted key",
        "line 2, id &quot;&lt;b&gt;&quot;: 7 bytes",
        "line 3: not strict JSON",
        "<mark class=\"certain\"",
        "expected integer",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // The worst is first: what could not be used, then what does not fit.
    let (first, second) = (page.find("line 3:"), page.find("line 2,"));
    assert!(first < second);
    let nowhere = run(&["batch", "--summary", "no/such/page.html"], LINES);
    assert_eq!(nowhere.code, Some(2));
}

#[test]
fn without_a_command_a_reply_is_parsed() {
    let reply = "Sure: {city: 'Oslo'}";
    let file = Scratch::new(reply);
    let schema = Scratch::new(r#"{"properties": {"city": {"const": "Oslo"}}}"#);
    let value = "{\"city\":\"Oslo\"}\n";
    for args in [
        &["parse", file.path()][..],
        &[file.path()],
        &["-"],
        &[],
        &["--schema", schema.path()],
        &["--schema", schema.path(), file.path()],
    ] {
        let ran = run(args, reply);
        assert_eq!((ran.code, &*ran.out), (Some(0), value), "{args:?}");
    }
    let folder = folder_of(&[("one.txt", reply)]);
    let ran = run(&[&folder], "");
    assert_eq!((ran.code, &*ran.out), (Some(0), value));
    // A word that is neither a command nor a file is refused, with what it is like.
    let ran = run(&["pares"], reply);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("parse"), "{}", ran.err);
}

/// A folder of files with these names and texts, which is made anew.
fn folder_of(files: &[(&str, &str)]) -> String {
    let mut name = String::from("folder");
    files
        .iter()
        .for_each(|(file, _)| name.push_str(&file.replace('/', "-")));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().expect("it lies in the folder");
        fs::create_dir_all(parent).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder.to_str().expect("the path is UTF-8").to_owned()
}

#[test]
fn several_files_and_folders_are_read_in_the_order_of_their_names() {
    let folder = folder_of(&[
        ("b.txt", "[2]"),
        ("a.txt", "{n: 1}"),
        ("deep/c.json", "[3]"),
        (".hidden", "[4]"),
    ]);
    let last = Scratch::new("[5]");
    let ran = run(&["parse", &folder, last.path()], "");
    let wanted = "{\"n\":1}\n[2]\n[3]\n[5]\n";
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), wanted, ""));
    // A file that cannot be read or does not conform is reported by its name, and the others are read.
    let schema = r#"{"type": "array"}"#;
    let args = ["--schema", schema, &folder, "no/such/file", last.path()];
    let ran = run(&[&["parse"], &args[..]].concat(), "");
    assert_eq!((ran.code, &*ran.out), (Some(2), "[2]\n[3]\n[5]\n"));
    let named = ran.err.contains("a.txt: ") && ran.err.contains("no/such/file: ");
    assert!(named && ran.err.contains("❌"), "{}", ran.err);
    let ran = run(&["parse", "--report", &folder], "");
    for (line, name) in ran.out.lines().zip(["a.txt", "b.txt", "c.json"]) {
        assert!(line.starts_with("{\"file\":\"") && line.contains(&format!("{name}\",\"ok\":")));
    }
    let ran = run(&["repair", &folder], "");
    assert_eq!((ran.code, &*ran.out), (Some(0), "[3]"));
    let ran = run(&["batch", &folder], "");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("the folder contains no file to read"),
        "{}",
        ran.err
    );
    // Rows of several files come one after the other, and a bad line is told by its file.
    let rows = [Scratch::new("{\"input\":\"[1]\"}"), Scratch::new("oops")];
    let ran = run(&["batch", rows[0].path(), rows[1].path()], "");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].contains("\"value\":[1]"), "{}", ran.out);
    let start = format!("{{\"file\":\"{}\",\"line\":1,", rows[1].path());
    assert!(lines[1].starts_with(&start), "{}", ran.out);
}

#[test]
fn texts_may_be_in_other_encodings() {
    let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}{\"a\": \"é漢😀\"}"
            .encode_utf16()
            .flat_map(order)
            .collect()
    };
    for bytes in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        let ran = run(&["parse"], &bytes);
        assert_eq!((ran.code, &*ran.out), (Some(0), "{\"a\":\"é漢😀\"}\n"));
        let ran = run(&["stream"], &bytes);
        assert!(ran.out.contains("é漢😀"), "{}", ran.out);
        // Half a character at the end is a text that was cut off.
        let ran = run(
            &["parse", "--fail-on", "truncated"],
            &bytes[..bytes.len() - 1],
        );
        assert_eq!(ran.code, Some(1));
    }
    let ran = run(&["parse", "--encoding", "latin1"], b"{\"a\": \"\xe9\"}");
    assert_eq!((ran.code, &*ran.out), (Some(0), "{\"a\":\"é\"}\n"));
    let ran = run(
        &["batch", "--encoding", "shift_jis"],
        b"{\"input\": \"['\x83e']\"}",
    );
    assert!(ran.out.contains("\"value\":[\"テ\"]"), "{}", ran.out);
    let ran = run(&["parse"], b"{\"a\": \"\xe9\"}");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("not UTF-8 at byte 7"), "{}", ran.err);
    let ran = run(&["parse", "--encoding", "klingon"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no encoding of this name"), "{}", ran.err);
}

#[test]
fn schemas_may_have_comments_or_be_yaml() {
    let commented =
        "// why\n{\"properties\": {n: {'type': 'integer', /* one */ \"minimum\": 1,},},}";
    let yaml =
        "# why\nproperties:\n  n:\n    type: integer\n    minimum: 1\n  w: {enum: [yes, no]}\n";
    for schema in [commented, yaml] {
        let schema = Scratch::new(schema);
        let ran = run(&["parse", "--schema", schema.path()], "{n: '2'}");
        assert_eq!(
            (ran.code, &*ran.out),
            (Some(0), "{\"n\":2}\n"),
            "{}",
            ran.err
        );
        let ran = run(&["parse", "--schema", schema.path()], "{n: 0}");
        assert!(ran.err.contains("Minimum<1>"), "{}", ran.err);
        let line = r#"{"input": "{n: '2'}"}"#;
        let ran = run(&["batch", "--schema", schema.path()], line);
        assert!(ran.out.contains("\"value\":{\"n\":2}"), "{}", ran.out);
    }
    // The members keep their order, and `yes` is a word.
    let ran = run(
        &["schema", "--target", "mcp"],
        format!("{yaml}additionalProperties: false\n"),
    );
    let members = ran.out.find("\"n\"").zip(ran.out.find("\"w\""));
    assert!(members.is_some_and(|(n, w)| n < w), "{}", ran.out);
    assert!(ran.out.contains("[\"yes\",\"no\"]"), "{}", ran.out);
    for (schema, error) in [
        ("{\"type\": \"object\", \"required\"}", "not strict JSON"),
        ("Here is a schema.", "not strict JSON"),
        ("{\"a\": 1", "not strict JSON"),
    ] {
        let schema = Scratch::new(schema);
        let ran = run(&["parse", "--schema", schema.path()], "[1]");
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(error), "{}", ran.err);
    }
    // Inline, in any of the notations.
    for (schema, verdict) in [
        ("{type: object, properties: {n: {type: integer}}}", 0),
        ("{properties: {n: {'type': 'integer'},},}", 0),
        ("properties: {n: {type: integer}}", 0),
        ("properties:\n  n:\n    type: integer\n", 0),
        ("{\"type\": \"object\", \"required\"}", 2),
        ("properties:", 2),
    ] {
        let ran = run(&["parse", "--schema", schema], "{n: '2'}");
        assert_eq!(ran.code, Some(verdict), "{schema}: {}", ran.err);
        assert!(verdict == 2 || ran.out == "{\"n\":2}\n", "{}", ran.out);
    }
    let folder = folder_of(&[("broken.yaml", "type: [object")]);
    let ran = run(
        &["parse", "--schema", &format!("{folder}/broken.yaml")],
        "[1]",
    );
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("the YAML cannot be read"), "{}", ran.err);
}
