//! What `repair` and `explain --json` print, and what they write.

use std::fs;

use crate::support::{Scratch, run};

#[test]
fn text_is_printed_with_its_layout() {
    // Arguments, text, what is printed.
    let cut = " inside a value; ended the value there";
    let table: &[(&[&str], &str, &str, &str)] = &[
        (
            &[],
            "{\n  a: 'x', // why\n}\n",
            "{\n  \"a\": \"x\" \n}\n",
            "",
        ),
        (&["-"], "\u{feff}[1.50]", "[1.50]", ""),
        (&[], "{\"a\": 1,\"b\":", "{\"a\": 1}", cut),
        (
            &["--unfinished", "complete"],
            "{\"a\": 1,\"b\":",
            "{\"a\": 1,\"b\":null}",
            cut,
        ),
        (
            &[],
            "{\"a\": \"x\"",
            "{\"a\": \"x\"}",
            "; added the closing brackets",
        ),
        (&["--text"], "not \"JSON\"", "\"not \\\"JSON\\\"\"", ""),
        (
            &["--comments", "keep"],
            "{\n  a: 'x', // why\n  # and\n}\n",
            "{\n  \"a\": \"x\" // why\n  // and\n}\n",
            "",
        ),
        (&["--policy", "tool"], "{a: 1,}", "{\"a\": 1}", ""),
    ];
    for (args, text, repaired, cut) in table {
        let ran = run(&[&["repair"], *args].concat(), text);
        let told = match *cut {
            "" => String::new(),
            cut => format!("llmjson: standard input: warning: the text is truncated{cut}\n"),
        };
        assert_eq!(
            (ran.code, &*ran.out, ran.err),
            (Some(0), *repaired, told),
            "{text}"
        );
    }
}

#[test]
fn without_a_value_there_is_a_place() {
    let ran = run(&["repair"], "\n  none here");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let wanted = "llmjson: standard input: line 2, column 3: no JSON value\n";
    assert_eq!(ran.err, wanted);
}

#[test]
fn a_value_that_the_policy_refuses_is_not_written() {
    let refused = [
        (
            "strict",
            "[1, 2,]",
            "removed a stray comma (extra_comma) at line 1, column 6 (byte 5)\n",
        ),
        (
            "tool",
            "[1,\n2",
            "the text ended before its value did (truncated) at line 2, column 2 (byte 5)\n",
        ),
        (
            "exact",
            "{\"a\": 1, \"a\": 2}",
            "a member's name comes more than once (duplicate_key) at line 1, column ",
        ),
    ];
    for (policy, text, reason) in refused {
        let file = Scratch::new(text);
        for how in [&["repair"] as &[&str], &["repair", "--in-place"]] {
            let ran = run(&[how, &["--policy", policy, file.path()]].concat(), "");
            let told = format!("llmjson: {}: not allowed: {reason}", file.path());
            assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
            assert!(ran.err.starts_with(&told), "{}", ran.err);
        }
        let left = fs::read_to_string(file.path()).expect("the file is there");
        assert_eq!(left, text);
    }
}

#[test]
fn files_are_written_in_place_and_checked() {
    let (bad, good) = (Scratch::new("{a: 1}\n"), Scratch::new("{\"a\": 1}\n"));
    let none = Scratch::new("none");
    let names = [bad.path(), good.path()];
    let ran = run(&["repair", "--check", names[0], names[1]], "");
    assert_eq!((ran.code, ran.out), (Some(1), format!("{}\n", bad.path())));
    let ran = run(
        &["repair", "--in-place", names[0], none.path(), names[1]],
        "",
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("no JSON value"), "{}", ran.err);
    for name in names {
        let content = fs::read_to_string(name).expect("the file is there");
        assert_eq!(content, "{\"a\": 1}\n");
    }
    let left = fs::read_to_string(none.path()).expect("the file is there");
    assert_eq!(left, "none");
    let ran = run(&["repair", "--check", names[0], names[1]], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    let commented = Scratch::new("[1] // one\n");
    for (comments, code) in [("keep", 0), ("drop", 1)] {
        let ran = run(
            &[
                "repair",
                "--check",
                "--comments",
                comments,
                commented.path(),
            ],
            "",
        );
        assert_eq!(ran.code, Some(code));
    }
    // What follows a file that is not there is repaired.
    let ran = run(&["repair", "not-there.json", names[0]], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), "{\"a\": 1}\n"));
    let ran = run(&["repair", "--in-place"], "[1,]");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn diffs_can_be_applied() {
    let lines: Vec<String> = (0..40)
        .map(|line| format!("  \"n{line}\": {line}"))
        .collect();
    let text = format!("{{\n{}\n}}", lines.join(",\n"));
    let text = text
        .replace("\"n3\"", "n3")
        .replace("30,\n", "30\n")
        .replace(": 33,", ": 33,,");
    let ran = run(&["repair", "--diff"], &text);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let wanted = "\
--- standard input
+++ standard input
@@ -2,7 +2,7 @@
   \"n0\": 0,
   \"n1\": 1,
   \"n2\": 2,
-  n3: 3,
+  \"n3\": 3,
   \"n4\": 4,
   \"n5\": 5,
   \"n6\": 6,
@@ -29,10 +29,10 @@
   \"n27\": 27,
   \"n28\": 28,
   \"n29\": 29,
-  \"n30\": 30
+  \"n30\": 30,
   \"n31\": 31,
   \"n32\": 32,
-  \"n33\": 33,,
+  \"n33\": 33,
   \"n34\": 34,
   \"n35\": 35,
   \"n36\": 36,
";
    assert_eq!(ran.out, wanted);
    let ran = run(&["repair", "--diff"], "[1]");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    let ran = run(&["repair", "--diff"], "[1,\n2,");
    let end = "\\ No newline at end of file\n";
    let wanted = format!("@@ -1,2 +1,2 @@\n [1,\n-2,\n{end}+2]\n{end}");
    assert!(ran.out.ends_with(&wanted), "{}", ran.out);
}

#[test]
fn edits_are_listed_for_editors() {
    let text = "{\"\u{1f600}\": oops,}";
    for (unit, start) in [("bytes", 9), ("chars", 6), ("utf16", 7)] {
        let ran = run(&["explain", "--json", "--offsets", unit], text);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(object["ok"], true);
        let edits = object["edits"].as_array().expect("a list");
        let shown: Vec<_> = edits
            .iter()
            .map(|edit| (&edit["kind"], &edit["replacement"]))
            .collect();
        assert_eq!(
            shown,
            [
                (&"unquoted_string".into(), &"\"oops\"".into()),
                (&"extra_comma".into(), &"".into()),
            ]
        );
        assert_eq!(
            (&edits[0]["start"], &edits[0]["line"]),
            (&start.into(), &1.into())
        );
        assert_eq!(object["report"]["repairs"][0]["kind"], "unquoted_string");
    }
}

#[test]
fn texts_are_on_lines_of_their_own() {
    let files = ["{a: 1}", "[2]\n", "[3", "[4]"].map(Scratch::new);
    let paths = files.each_ref().map(Scratch::path);
    let ran = run(&[&["repair"], &paths[..]].concat(), "");
    assert_eq!(
        (ran.code, &*ran.out),
        (Some(0), "{\"a\": 1}\n[2]\n[3]\n[4]")
    );
}

#[test]
fn the_limit_on_bytes_is_an_option() {
    for text in ["[1, 2]", "[1, 2,]"] {
        let ran = run(&["repair", "--max-bytes", "5"], text);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""));
        let told = "llmjson: standard input: the input is longer than 5 bytes; --max-bytes raises this limit\n";
        assert_eq!(ran.err, told);
    }
    assert_eq!(
        run(&["repair", "--max-bytes", "7"], "[1, 2,]").code,
        Some(0)
    );
}

#[test]
fn strict_texts_stay_byte_for_byte() {
    for text in [
        "[1e999, -0.0, 1E+2]",
        " {\"a\":1,\"a\":2}\n",
        "\"\\ud83d\\ude00\"",
        "7",
    ] {
        assert_eq!(run(&["repair"], text).out, text);
        assert_eq!(run(&["repair", "--check"], text).code, Some(0));
        assert_eq!(run(&["repair", "--diff"], text).out, "");
    }
    // Half a pair is none.
    assert_eq!(run(&["repair", "--check"], "\"\\ud83d\"").code, Some(1));
}

#[test]
fn the_table_beside_jsonrepair_shows_what_is_printed() {
    let table = include_str!("../../docs/repair.md");
    let spans = |cell: &str| -> Vec<String> {
        let is_code = |(place, part): (usize, &str)| (place % 2 == 1).then(|| part.to_owned());
        cell.split('`').enumerate().filter_map(is_code).collect()
    };
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let (inputs, outputs) = match &cells[..] {
            // In prose, code is only a part of the output.
            [text, _, repaired, _] if repaired.starts_with('`') => (spans(text), spans(repaired)),
            _ => continue,
        };
        for (input, output) in inputs.iter().zip(&outputs) {
            let ran = run(&["repair", "--unfinished", "complete", "--text"], input);
            assert_eq!((ran.code, ran.out.trim()), (Some(0), &**output), "{input}");
            count += 1;
        }
    }
    assert!(count >= 14, "{count}");
}
