//! The format of files of cases.

use llmjson_testutil::table::rows_of;
use std::panic::catch_unwind;
use std::path::Path;

use crate::cases::CaseFile;

/// The rows of the tests.
const FILE: &str = include_str!("format.txt");

fn read(text: &str) -> CaseFile {
    CaseFile::from_text(Path::new("repaired/comment"), text)
}

#[test]
fn texts_are_read_to_the_byte() {
    let file = read(concat!(
        "--- schema\n{}\n\n",
        "== a ==\n--- reply\n[1]\n--- outcome\nx\n\n",
        "== b ==\n--- reply\n\n---\n[2]\n\n--- schema\ntrue\n--- outcome\nx\n\n",
        "== c ==\n--- reply\n--- outcome\n\n\n",
        "== d ==\n--- reply (escaped)\n\\u{20}\\r\n\\\\n\\0\\u{2d}\\n\\t\n\n",
        "== e ==\n--- reply\n1\n",
    ));
    let wanted = [
        ("a", "[1]", "{}"),
        ("b", "\n---\n[2]\n", "true"),
        ("c", "", "{}"),
        ("d", " \r\n\\n\0-\n\t", "{}"),
        ("e", "1", "{}"),
    ];
    let part = |at: usize, name| file.cases[at].get(name).unwrap();
    for (at, (name, reply, schema)) in wanted.into_iter().enumerate() {
        assert_eq!(file.cases[at].name(), format!("repaired/comment/{name}"));
        assert_eq!((part(at, "reply"), part(at, "schema")), (reply, schema));
    }
    assert_eq!(file.cases.len(), wanted.len());
}

#[test]
fn outcomes_of_any_text_are_written_and_read() {
    let texts = [
        "",
        "value: 1",
        "a\n\nb",
        "a \nb\t\nc",
        "== a ==\nb",
        "--- a\nb",
        "\u{feff}\r\0\u{7f}\\n",
    ];
    for text in texts {
        let file = read("== a ==\n--- reply\n1\n--- outcome\n?\n");
        let written = file.with_outcomes(|_| text.to_owned());
        assert_eq!(
            read(&written).cases[0].get("outcome"),
            Some(text),
            "{written}"
        );
        assert_eq!(read(&written).with_outcomes(|_| text.to_owned()), written);
    }
}

#[test]
fn other_layouts_are_errors() {
    for [what, text] in rows_of(FILE, "other layouts are errors") {
        assert!(catch_unwind(|| read(text)).is_err(), "{what} is read");
    }
}
