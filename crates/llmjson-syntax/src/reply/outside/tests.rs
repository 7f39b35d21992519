//! Rows for what stands outside of a value and speaks against it.

use alloc::format;

use super::*;
use crate::parser::look::{answers, ask};
use crate::parser::state::test_reader::with_reader;
use crate::reply::lexicon::LABELS;

#[test]
fn parts_of_a_larger_value_stand_before_one() {
    answers(
        |look| look.part_before(look.text.len()),
        &[
            ("\"a\":", true),
            ("\"a\": ", true),
            ("\"a\" = ", true),
            ("\"a\" => ", true),
            ("**\"a\"**: ", true),
            ("__“a”__: ", true),
            ("a => ", true),
            ("a_ => ", true),
            ("- => ", false),
            ("a: ", false),
            ("a = ", false),
            ("", false),
            ("a", false),
            ("\"b\", ", true),
            ("}, ", true),
            ("] , ", true),
            ("1, ", false),
            ("\"a\": \"", true),
            ("x = '", true),
            ("x = ' ", false),
            ("say \"", false),
        ],
    );
}

#[test]
fn parts_of_a_larger_value_stand_behind_one() {
    answers(
        |look| look.part_behind(0),
        &[
            (", \"b\": 2", true),
            (", 'b'", true),
            ("; “b”", true),
            (", b: 2", true),
            ("}, b: 2", true),
            (", } b: 2", true),
            ("} b: 2", false),
            (", b", false),
            (", {", true),
            ("] [", true),
            ("} 1", false),
            (" \"b\": 2", true),
            (" \"b\" c", false),
            (" b: 2", false),
            (" {", false),
            ("", false),
        ],
    );
    let closers = |space: usize, count: usize| {
        let text = format!("{}{}\"b\"", " ".repeat(space), "}".repeat(count));
        ask(&text, |look| look.part_behind(0))
    };
    assert!(closers(0, LOOK_AHEAD));
    assert!(!closers(0, LOOK_AHEAD + 1));
    assert!(closers(200, 100));
}

#[test]
fn strings_go_on_behind_their_closers() {
    for (value, behind, expected) in [
        ("{\"a\": \"b\"}", " c\"}", true),
        ("{\"a\": \"b\"}", " c\"}\n```\nmore", true),
        ("{\"a\": \"b\"}", " c\"", false),
        ("{\"a\": \"b\"}", " c}", false),
        ("{\"a\": \"b\"}", " c", false),
        ("{\"a\": \"b\"}", "", false),
        ("{\"a\": \"b\"}", " {\"c\": \"d\"}", false),
        ("{\"a\": 1}", " c\"}", false),
        ("{\"a\": [\"b\" ] }", " c\" ] }", true),
        ("{\"a\": [\"b\" ] }", " c\" }", false),
        ("{\"a\": \"say \\\"hi\"}", " there", true),
        ("{\"a\": \"say \\\"hi\"}", "\"x", true),
        ("{\"a\": \"say \\\"hi\"}", " . x", false),
        ("{\"a\": \"say \\\"hi\"}", "\nthere", false),
        ("{\"a\": \"say \\\"hi\\\" x\"}", " there", false),
        ("{\"a\": \"5\\\" x\"}", " there", false),
        ("\"b\"", " there", false),
        ("\\\"x\"", " there", true),
    ] {
        let text = format!("{value}{behind}");
        let goes_on = ask(&text, |look| look.string_goes_on(value.len()));
        assert_eq!(goes_on, expected, "{text}");
    }
}

/// Returns the certainty of the value of a reply.
fn class(text: &str) -> Class {
    with_reader(text, |reader| {
        assert!(reader.reply(), "{text}");
        let all = reader.tape.repairs.iter().map(|one| one.class);
        all.max().unwrap_or(Class::Certain)
    })
}

fn guesses(texts: &[&str]) {
    for text in texts {
        assert_eq!(class(text), Class::Guess, "{text}");
    }
}

fn sure(texts: &[&str]) {
    for text in texts {
        assert_eq!(class(text), Class::Certain, "{text}");
    }
}

#[test]
fn names_and_halves_of_them_stand_outside() {
    guesses(&[
        "{}name\": 1",
        "{} name\" : 1",
        "{}name': 1",
        "{}\n\"b\": 2",
        "so {\"b\" = 2 it is}\n[1, 2]",
        "**\"b\": 2**\n[1, 2]",
        "[1, 2]\n\"b: 2",
        "[1, 2]\n```diff\n+ \"b\": 2\n```",
    ]);
    sure(&[
        "not \"b\": 2\n[1, 2]",
        "It has 15\": fine.\n[1, 2]",
        "[1, 2]\nThe 'old name': fine.",
        "He said \"it is done.\": fine.\n[1, 2]",
        "- \"b\": the name\n[1, 2]",
        "[1, 2]\n\"Note: it is short.",
    ]);
}

#[test]
fn brackets_have_their_partners() {
    guesses(&[
        "[1, 2] so }",
        "so }\n[1, 2]",
        "so { it\n[1, 2]",
        "[1, 2]\nso { it",
    ]);
    sure(&[
        "so {x} and [y]\n[1, 2]",
        "so { it\n[1, 2]\nis }",
        "I put in the missing `}` and the `[`.\n[1, 2]",
        "\u{1b}[1mSo\u{1b}[0m\n[1, 2]",
        "A smile :)\n[1, 2]",
    ]);
}

#[test]
fn lines_of_other_notations_stand_outside() {
    guesses(&[
        "name = \"Anna\"\ntags = [\"a\"]",
        "name: Anna\ntags: [\"a\"]",
        "name: Anna\nage: 5\n\n[1, 2]",
        "[1, 2]\nname: Anna\nage: 5",
        "- name: Anna\n  tags: [\"a\"]",
        "[1, 2]\nhost=a\nport=5",
        "const a = 5;\nconst b = [1, 2];",
        "private String a = \"x\";\nlist.items[0] = [1, 2];",
        "a := 5\nb := [1, 2]",
        "data[\"a\"] = 5\ndata[\"b\"] = [1, 2]",
        "$a = 5;\n$b = [1, 2];",
    ]);
    sure(&[
        "name: Anna\n[1, 2]",
        "tags: [\"a\"]",
        "Note: none\nAnswer: [1, 2]",
        "Thought: I know\nAction: search\nTags: [1, 2]",
        "The name: Anna\nThe tags: [\"a\"]",
        "name: it is Anna.\ntags: [\"a\"]",
        "name:\ntags: [\"a\"]",
        "- name: Anna\n- age: 5\n\n[1, 2]",
        "**name**: Anna\n**age**: 5\n\n[1, 2]",
        "10:30 done\n11:30 done\n[1, 2]",
        "http://a.b\nhttp://c.d\n[1, 2]",
        "a == 5\nb => 6\n[1, 2]",
        "so it = 5\n[1, 2]",
    ]);
}

#[test]
fn labels_are_written_large() {
    assert!(LABELS.split(' ').is_sorted());
    for label in LABELS.split(' ') {
        let large = label[..1].to_ascii_uppercase() + &label[1..];
        assert!(is_label(&large), "{large}");
        assert!(!is_label(label), "{label}");
    }
    assert!(is_label("JSON") && is_label("Answer") && !is_label("Name") && !is_label("NAME"));
}

#[test]
fn work_outside_is_bounded() {
    for text in ["\"a\": ", "a: b\n", "a': ", "} ", "\"a: "] {
        let text = format!("{}\n[1, 2]", text.repeat(2_000));
        let spent = ask(&text, |look| {
            let value = Span::of(text.len() - 6, text.len());
            let mut outside = Outside::new(look, value);
            outside.read(0..text.len() - 7, 0);
            look.work.get().spent()
        });
        assert!(
            spent < 40 * text.len() as u64,
            "{spent} for {} bytes",
            text.len()
        );
    }
}
