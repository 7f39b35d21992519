//! Rows of batches: where their parts stand, what is printed of them, and what goes elsewhere.

use std::fs;

use crate::support::{Ran, run};

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

#[test]
fn long_and_deep_values_are_printed_alone() {
    let deep = format!("{}{}{}", "[".repeat(512), " ".repeat(200), "]".repeat(512));
    let long = format!("[\\\"{}\\\"]", "x".repeat(11_000_000));
    let row = |text: &str| format!("{{\"input\":\"{text}\"}}");
    let args = ["batch", "--only", "value", "--max-bytes", "20000000"];
    let ran = run(&args, [row(&deep), row(&long)].join("\n"));
    let lengths: Vec<usize> = ran.out.lines().map(str::len).collect();
    assert_eq!(lengths, [1024, 11_000_004], "{}", ran.err);
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
