//! Rows of batches: where their parts stand, what is printed of them, and what goes elsewhere.

use std::fs;
use std::io::Write as _;

use crate::support::{Ran, Scratch, run};

const WANTED: &str = r#"{"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}"#;

/// Three rows: one that fits, one that does not, one without a value.
const ROWS: &str = concat!(
    r#"{"id":1,"input":"{n: 1}","user":"a"}"#,
    "\n",
    r#"{"id":2,"input":"{n: 0}","user":"b"}"#,
    "\n",
    r#"{"id":3,"input":"no"}"#,
    "\n",
);

fn batch(more: &[&str], input: &str) -> Ran {
    run(&[&["batch", "--schema", WANTED], more].concat(), input)
}

/// A file that is not there yet and goes when the test ends.
fn new_file() -> Scratch {
    let file = Scratch::new("");
    fs::remove_file(file.path()).expect("it is there");
    file
}

fn content(file: &Scratch) -> String {
    fs::read_to_string(file.path()).expect("it was written")
}

#[test]
fn parts_of_a_row_stand_where_a_pointer_says() {
    let row = r#"{"key":{"n":7},"a/b":[{"text":"{n: 1, m: [1"}],"why":{"stop":"length"},"shape":{"s":{"type":"array"}}}"#;
    let args = ["--text", "/a~1b/0/text", "--id", "/key/n"];
    let ran = batch(&args, row);
    assert!(
        ran.out
            .starts_with(r#"{"id":7,"ok":true,"value":{"n":1,"m":[1]}"#),
        "{}",
        ran.out
    );
    let ran = batch(&[&args[..], &["--schema-from", "/shape/s"]].concat(), row);
    assert!(ran.out.starts_with(r#"{"id":7,"ok":false"#), "{}", ran.out);
    // The reason to stop is one, or stands where a pointer says; a row without one has that of all rows.
    let whole = r#"{"input":"{n: 1}","why":{"stop":"length"}}"#;
    for (reason, complete) in [
        ("/why/stop", false),
        ("/why/other", true),
        ("stop", true),
        ("length", false),
    ] {
        let ran = batch(&["--finish-reason", reason], whole);
        assert!(
            ran.out.contains(&format!("\"complete\":{complete}")),
            "{reason}: {}",
            ran.out
        );
    }
    let ran = batch(&["--text", "/none/0"], whole);
    assert!(
        ran.out.contains(r#""error":"missing member \"/none/0\"""#),
        "{}",
        ran.out
    );
}

#[test]
fn batches_of_openai_are_read_as_they_are() {
    let row = |id: &str, message: &str, reason: &str| {
        format!(
            r#"{{"id":"batch_req_{id}","custom_id":"{id}","response":{{"status_code":200,"body":{{"choices":[{{"index":0,"message":{{"role":"assistant",{message}}},"finish_reason":"{reason}"}}]}}}},"error":null}}"#
        )
    };
    let rows = [
        row("a", r#""content":"{n: 1}""#, "stop"),
        row("b", r#""content":"{n: 2}""#, "length"),
        row("c", r#""content":null,"refusal":"I will not.""#, "stop"),
        r#"{"id":"x","custom_id":"d","response":null,"error":{"code":"batch_expired","message":"Too late."}}"#.to_owned(),
        r#"{"id":"y","custom_id":"e","response":{"status_code":400,"body":{"error":{"message":"No model."}}},"error":null}"#.to_owned(),
    ];
    let ran = batch(&["--openai-batch"], &rows.join("\n"));
    assert_eq!(ran.code, Some(1));
    let parts = [
        [
            "{\"id\":\"a\",\"ok\":true,\"value\":{\"n\":1}",
            "\"complete\":true",
        ],
        [
            "{\"id\":\"b\",\"ok\":true,\"value\":{\"n\":2}",
            "\"complete\":false",
        ],
        ["\"id\":\"c\",\"ok\":false", "there is no text: I will not."],
        ["\"id\":\"d\",\"ok\":false", "there is no text: Too late."],
        ["\"id\":\"e\",\"ok\":false", "there is no text: No model."],
    ];
    for (line, parts) in ran.out.lines().zip(parts) {
        assert!(
            parts.iter().all(|part| line.contains(part)),
            "{parts:?}: {line}"
        );
    }
    assert_eq!(ran.out.lines().count(), parts.len());
}

#[test]
fn values_are_printed_alone() {
    let ran = batch(&["--only", "value"], ROWS);
    assert_eq!((ran.code, &*ran.out), (Some(1), "{\"n\":1}\nnull\nnull\n"));
    assert_eq!(ran.err, "llmjson: 3 rows: 1 ok, 2 failed, 0 unreadable\n");
    // As with `parse`, a value that is not sure enough is none, and each bad line has its own.
    let rows = "{\"input\":\"{n: 1\"}\noops\n{\"input\":\"{n: 2}\"}\n";
    let ran = batch(&["--only", "value", "--fail-on", "truncated"], rows);
    assert_eq!((ran.code, &*ran.out), (Some(1), "null\nnull\n{\"n\":2}\n"));
    let ran = run(&["batch", "--only", "ok"], "");
    assert_eq!(ran.code, Some(2));
    // However long and deep it is.
    let deep = format!("{}{}{}", "[".repeat(512), " ".repeat(200), "]".repeat(512));
    let long = format!("[\\\"{}\\\"]", "x".repeat(11_000_000));
    let row = |text: &str| format!("{{\"input\":\"{text}\"}}");
    let args = ["batch", "--only", "value", "--max-bytes", "20000000"];
    let ran = run(&args, [row(&deep), row(&long)].join("\n"));
    let lengths: Vec<usize> = ran.out.lines().map(str::len).collect();
    assert_eq!(lengths, [1024, 11_000_004], "{}", ran.err);
    // Nothing is told where nothing is wrong.
    let ran = batch(&["--only", "value"], "{\"input\":\"{n: 2}\"}");
    assert_eq!(
        (ran.code, &*ran.out, &*ran.err),
        (Some(0), "{\"n\":2}\n", "")
    );
}

#[test]
fn rows_that_are_not_ok_come_with_their_feedback() {
    let ran = batch(&["--feedback"], ROWS);
    let told: Vec<bool> = ran
        .out
        .lines()
        .map(|line| line.contains("\"feedback\":\""))
        .collect();
    assert_eq!(told, [false, true, true], "{}", ran.out);
    assert!(ran.out.contains("Minimum<1>\\\"}]"), "{}", ran.out);

    let rejects = new_file();
    let input = format!("{ROWS}oops\n");
    let ran = batch(&["--rejects", rejects.path()], &input);
    assert!(!ran.out.contains("feedback"), "{}", ran.out);
    let rows = content(&rejects);
    let starts = [
        r#"{"id":2,"input":"{n: 0}","user":"b","feedback":"```json"#,
        r#"{"id":3,"input":"no","feedback":"The reply holds no JSON value."#,
        r#"{"line":4,"ok":false,"error":"not strict JSON"#,
    ];
    for (row, start) in rows.lines().zip(starts) {
        assert!(row.starts_with(start), "{row}");
    }
    assert_eq!(rows.lines().count(), starts.len());
    // They are rows again, and have one feedback each.
    let again = new_file();
    let rows = rows
        .lines()
        .take(2)
        .fold(String::new(), |all, row| all + row + "\n");
    let ran = batch(&["--rejects", again.path()], &rows);
    assert_eq!((ran.code, content(&again)), (Some(1), rows));
    let ran = batch(&["--rejects", "no/such/folder/file"], ROWS);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    // What is not sure enough is to be asked again, too; of a call, the explanation is the feedback.
    let ran = batch(
        &["--rejects", rejects.path(), "--fail-on", "truncated"],
        "{\"input\":\"{n: 1\"}",
    );
    assert_eq!(ran.code, Some(1));
    assert!(content(&rejects).contains("\"feedback\":\"the text is truncated\""));
    let row = r#"{"op":"bind","tool":"t","input":"{}"}"#;
    batch(&["--rejects", rejects.path()], row);
    assert!(
        content(&rejects).contains("\"feedback\":\""),
        "{}",
        content(&rejects)
    );
}

#[test]
fn a_run_that_was_ended_is_continued() {
    let file = new_file();
    let first = ROWS.lines().next().expect("a row");
    let ran = batch(&["--output", file.path()], first);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    let answer = content(&file);
    // What was half written is written again.
    let mut torn = fs::OpenOptions::new()
        .append(true)
        .open(file.path())
        .expect("it is there");
    torn.write_all(b"{\"id\":2,\"ok\":fal")
        .expect("it can be written");
    let ran = batch(&["--output", file.path(), "--append"], ROWS);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("1 row skipped"), "{}", ran.err);
    let all = content(&file);
    assert!(
        all.starts_with(&answer) && all.lines().count() == 3,
        "{all}"
    );
    assert_eq!(all, batch(&[], ROWS).out);
    let ran = batch(&["--output", file.path(), "--append"], ROWS);
    assert_eq!((ran.code, content(&file)), (Some(0), all));
    // Without --append it is written anew; a file is not read and written at once.
    batch(&["--output", file.path()], first);
    assert_eq!(content(&file), answer);
    let ran = batch(&["--output", file.path(), file.path()], "");
    assert_eq!(ran.code, Some(2));
    assert_eq!(content(&file), answer);
    for args in [
        &["--append"][..],
        &["--append", "--output", "x", "--only", "value"],
    ] {
        assert_eq!(batch(args, "").code, Some(2), "{args:?}");
    }
}

#[test]
fn the_time_is_printed_on_request() {
    assert!(!batch(&[], ROWS).out.contains("\"ns\""));
    let ran = batch(&["--time"], ROWS);
    assert!(
        ran.out.lines().all(|line| line.contains(",\"ns\":")),
        "{}",
        ran.out
    );
}

#[test]
fn damaged_lines_are_read_where_that_leaves_no_guess() {
    let rows = concat!(
        "{\"id\":1,\"input\":\"{n: 1}\",}\n",
        "{'id': 2, \"input\":\"{n: 2}\"}\n",
        "{\"id\":3,\"input\":\"{n: 3, m: [1\n",
        "{\"id\":4,\"other\":1,}\n",
        "{\"id\":5,\"input\":\"{\"n\": 5}\"}\n",
    );
    let ran = batch(&[], rows);
    let lines: Vec<&str> = ran.out.lines().collect();
    for (line, parts) in lines.iter().zip([
        [
            "{\"id\":1,\"ok\":true,\"value\":{\"n\":1}",
            "\"line\":1,\"line_repairs\":[{\"kind\":\"extra_comma\"",
        ],
        [
            "{\"id\":2,\"ok\":true,\"value\":{\"n\":2}",
            "\"line\":2,\"line_repairs\":[{\"kind\":\"other_quotes\"",
        ],
        [
            "{\"id\":3,\"ok\":true,\"value\":{\"n\":3,\"m\":[1]}",
            "\"complete\":false",
        ],
        ["{\"line\":4,\"ok\":false", "not strict JSON"],
    ]) {
        assert!(
            parts.iter().all(|part| line.contains(part)),
            "{parts:?}: {line}"
        );
    }
    // A line that cannot be used has its number once.
    let ran = batch(&[], "{\"id\":1,\"input\":5,}");
    assert_eq!(ran.out.matches("\"line\":1").count(), 1, "{}", ran.out);
    assert!(ran.out.contains("line_repairs"), "{}", ran.out);
    // The value is no surer than its line.
    let unsure =
        "{\"id\":5,\"ok\":true,\"value\":{\"n\":5},\"complete\":true,\"certainty\":\"likely\"";
    assert!(lines[4].starts_with(unsure), "{}", lines[4]);
    assert!(ran.err.contains("malformed but repaired"), "{}", ran.err);
}

#[test]
fn tables_and_packed_files_are_read() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let table = "id,input,schema\r\n1,\"{n: 1,\n w: \"\"x\"\"}\",\r\n2,[1],\"{\"\"type\"\": \"\"array\"\"}\"\r\n3,,\r\n";
    let wanted = "{\"n\":1,\"w\":\"x\"}\n[1]\nnull\n";
    let path = folder.join("rows.csv");
    fs::write(&path, table).expect("a file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let ran = batch(&["--only", "value", path], "");
    assert_eq!((ran.code, &*ran.out), (Some(1), wanted));
    let ran = batch(
        &["--only", "value", "--from", "csv"],
        &table.replace(',', ";").replace("1;\n", "1,\n"),
    );
    assert_eq!(&*ran.out, wanted);
    // A row, packed by gzip and by zstd, each twice in a row.
    let rows: &[(&[u8], &str)] = &[
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\xcc\x2b\x28\x2d\x51\xb2\x52\x8a\x36\x8c\x55\xaa\xe5\x02\x00\xad\xaf\x8c\xa9\x10\x00\x00\x00", "gz"),
        (b"\x28\xb5\x2f\xfd\x04\x58\x81\x00\x00\x7b\x22\x69\x6e\x70\x75\x74\x22\x3a\x22\x5b\x31\x5d\x22\x7d\x0a\xfb\xf7\x2e\x61", "zst"),
    ];
    for (bytes, ending) in rows {
        let path = folder.join(format!("rows.jsonl.{ending}"));
        fs::write(&path, [*bytes, *bytes].concat()).expect("a file can be written");
        let path = path.to_str().expect("the path is UTF-8");
        let ran = run(&["batch", "--only", "value", path], "");
        assert_eq!(
            (ran.code, &*ran.out),
            (Some(0), "[1]\n[1]\n"),
            "{}",
            ran.err
        );
        // Every command reads them, and none writes them in place.
        let ran = run(&["parse", path], "");
        assert!(ran.out.contains("input"), "{} {}", ran.out, ran.err);
        assert_eq!(run(&["repair", "--in-place", path], "").code, Some(2));
    }
    let ran = batch(
        &[
            "--only",
            "value",
            folder.to_str().expect("the path is UTF-8"),
        ],
        "",
    );
    assert!(ran.out.starts_with(wanted), "{}", ran.out);
}

#[cfg(feature = "parquet")]
#[test]
fn tables_in_parquet_are_read_and_written() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("parquet");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join("values.parquet");
    let path = path.to_str().expect("the path is UTF-8");
    let ran = batch(&["--output", path], ROWS);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    // Its columns are typed: they come back as they went in, and a null as nothing.
    let ran = run(
        &[
            "batch",
            "--text",
            "/violations/0/path",
            "--id",
            "/value/n",
            "--schema",
            "{\"type\": \"string\"}",
            path,
        ],
        "",
    );
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].contains("\"id\":1,\"ok\":false,\"error\":\"missing"),
        "{}",
        ran.out
    );
    assert!(
        lines[1].starts_with("{\"id\":null,\"ok\":true,\"value\":\"$input.n\""),
        "{}",
        ran.out
    );
    assert_eq!(lines.len(), 3);
    for more in [&["--append"][..], &["--only", "value"]] {
        let ran = batch(&[&["--output", path], more].concat(), ROWS);
        assert_eq!(ran.code, Some(2));
    }
    let ran = batch(&["--from", "parquet"], ROWS);
    assert_eq!(ran.code, Some(2));
}
