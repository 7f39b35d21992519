//! Runs of values, and the lists that are put around them.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::{GROUP_READINGS_MAX, NAMES_COMPARED, RUN_READINGS_MAX, alike_in_turn, is_heading};
use crate::base::repair::{Class, RepairKind};
use crate::base::span::Span;
use crate::parser::state::test_reader::with_reader;
use crate::reply::found::{ReplySearch, read_values};
use crate::tape::Tag;
use crate::tape::readings::{Reading, Records};

/// Returns `true` if two values with a text between them are one run.
fn is_run(between: &str) -> bool {
    with_reader(&format!("[1]{between}[2]"), |reader| {
        reader.reply();
        let mut repairs = reader.tape.repairs.iter();
        repairs.any(|one| one.kind == RepairKind::SeveralValues)
    })
}

#[test]
fn marks_part_values_of_one_run() {
    for text in [
        "",
        " \n",
        ", ",
        "\n;\n,",
        "\u{a0}",
        "// x\n",
        "/* x */",
        "<!-- x -->",
        "##x\n",
        "# x\n",
        "\n# x\n",
        "```",
        "\n```\n",
        "```\n```json\n",
        "\n~~~\n ~~~json\n",
        "<item>",
        "</item> <item>",
        "<|x|>",
        "</a><|x|></a>",
        "<|x|></a><|y|>",
    ] {
        assert!(is_run(text), "{text:?}");
    }
}

#[test]
fn text_parts_runs() {
    for text in [
        " a ",
        ", a ",
        "\n## x\n",
        "\n\n# x\n",
        "``",
        "```\nx\n",
        "```é",
        "~~~json\n1 ",
        " < b ",
        "</a><b>",
        "</a><|x|><b>",
    ] {
        assert!(!is_run(text), "{text:?}");
    }
}

#[test]
fn comments_may_be_headings() {
    for (text, heading) in [
        ("## a", true),
        ("### a b\n", true),
        ("\n\n# a", true),
        ("\n \t\r\n # a", true),
        ("# a", false),
        ("\n# a", false),
        ("[1]\n# a", false),
        ("##a", false),
        ("\n\n#a", false),
        ("##", false),
        ("\n\n// a", false),
    ] {
        let at = text.find(['#', '/']).expect("a comment");
        assert_eq!(is_heading(text, at, text.len()), heading, "{text:?}");
    }
}

#[test]
fn lists_may_be_tokens() {
    for (text, token) in [
        ("[TOOL_CALLS]", true),
        ("[\"a\"]", false),
        ("[\"a\" + \"b\"]", false),
        ("[1]", false),
        ("[[a]]", false),
        ("[a, b]", false),
        ("[]", false),
        ("{TOOL_CALLS}", true),
        ("{\"a\": b}", false),
    ] {
        let found = with_reader(text, |reader| {
            let root = read_values(reader).candidates[0].root;
            reader.is_token(root)
        });
        assert_eq!(found, token, "{text:?}");
    }
}

/// A candidate after its run was made a list.
#[derive(Debug, PartialEq)]
struct Found<'t> {
    text: &'t str,
    group: u32,
    repairs: Vec<RepairKind>,
    /// The text of each item, for a list.
    items: Vec<&'t str>,
}

/// Makes lists of the runs in a text.
fn grouped(text: &str) -> Vec<Found<'_>> {
    with_reader(text, |reader| {
        let mut found = read_values(reader);
        reader.group(&mut found);
        let shown = |one: &Reading| {
            let root = reader.tape.nodes[one.root as usize];
            let references = one.root as usize + 1..root.next as usize;
            let items = references.clone().map(|index| {
                let reference = reader.tape.nodes[index];
                assert_eq!(reference.tag, Tag::Reference);
                let item = reader.tape.nodes[reference.next as usize];
                &text[item.start as usize..item.end as usize]
            });
            let items: Vec<&str> = if one.list { items.collect() } else { vec![] };
            if one.list {
                assert_eq!(root.tag, Tag::Array);
                assert_eq!((root.start, root.end), (one.span.start, one.span.end));
                assert_eq!(reader.tape.count(one.root) as usize, items.len());
            }
            let repairs = &reader.tape.repairs[one.repairs.range()];
            Found {
                text: &text[one.span.range()],
                group: one.group,
                repairs: repairs.iter().map(|repair| repair.kind).collect(),
                items,
            }
        };
        found.candidates.iter().map(shown).collect()
    })
}

/// Describes a value that is no list of a run.
fn alone<'t>(text: &'t str, group: u32, repairs: &[RepairKind]) -> Found<'t> {
    Found {
        text,
        group,
        repairs: repairs.to_vec(),
        items: vec![],
    }
}

/// Describes the list of a run.
fn list<'t>(text: &'t str, repairs: &[RepairKind], items: &[&'t str]) -> Found<'t> {
    Found {
        text,
        group: 0,
        repairs: repairs.to_vec(),
        items: items.to_vec(),
    }
}

#[test]
fn runs_become_lists() {
    use RepairKind::{SeveralValues, UnquotedKey};

    assert_eq!(
        grouped("{\"a\": 1} {\"a\": 2}, {\"a\": 3}"),
        [
            alone("{\"a\": 1}", 1, &[]),
            alone("{\"a\": 2}", 1, &[]),
            alone("{\"a\": 3}", 1, &[]),
            list(
                "{\"a\": 1} {\"a\": 2}, {\"a\": 3}",
                &[SeveralValues],
                &["{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3}"],
            ),
        ]
    );
    // The records of the others stay theirs.
    assert_eq!(
        grouped("{a: 1} x [1] [2] y [3] z {b: 1} {b: 2} [4]"),
        [
            alone("{a: 1}", 0, &[UnquotedKey]),
            alone("[1]", 1, &[]),
            alone("[2]", 1, &[]),
            alone("[3]", 0, &[]),
            alone("{b: 1}", 2, &[UnquotedKey]),
            alone("{b: 2}", 2, &[UnquotedKey]),
            alone("[4]", 2, &[]),
            list("[1] [2]", &[SeveralValues], &["[1]", "[2]"]),
            list(
                "{b: 1} {b: 2} [4]",
                &[UnquotedKey, UnquotedKey, SeveralValues],
                &["{b: 1}", "{b: 2}", "[4]"],
            ),
        ]
    );
}

#[test]
fn values_that_are_repeated_are_no_list() {
    let texts = |text| {
        let found: Vec<&str> = grouped(text).iter().map(|one| one.text).collect();
        found
    };
    assert_eq!(texts("{\"a\": 1} {\"a\": 1}"), ["{\"a\": 1}", "{\"a\": 1}"]);
    let two = texts("{\"a\": 1} {\"a\": 1} {\"a\": 2}");
    assert_eq!(two[3], "{\"a\": 1} {\"a\": 1} {\"a\": 2}");
    assert_eq!(texts("[] []"), ["[]", "[]", "[] []"]);
    assert_eq!(texts("[1] a [2]"), ["[1]", "[2]"]);
    assert!(texts("").is_empty());
}

/// Returns the class of the list of the run in a text, the first repair of which is of a given kind.
fn class_of_list(text: &str, kind: Option<RepairKind>) -> Class {
    with_reader(text, |reader| {
        let mut found = read_values(reader);
        if let Some(kind) = kind {
            reader.tape.repairs[0].kind = kind;
        }
        reader.group(&mut found);
        let list = found.candidates.last().expect("a list");
        let several = &reader.tape.repairs[list.repairs.range()];
        let several = several.last().expect("a repair");
        assert_eq!(several.kind, RepairKind::SeveralValues);
        assert_eq!(several.span, list.span);
        several.class
    })
}

#[test]
fn lists_of_values_that_differ_are_guesses() {
    assert_eq!(class_of_list("{a: 1} {a: 2}", None), Class::Likely);
    assert_eq!(class_of_list("{a: 1} {b: 2}", None), Class::Guess);
    let braceless = Some(RepairKind::MissingBraces);
    assert_eq!(class_of_list("{a: 1} {a: 2}", braceless), Class::Guess);
}

#[test]
fn lists_are_what_their_items_are() {
    with_reader("[1] [2]", |reader| {
        let mut found = read_values(reader);
        for (index, one) in found.candidates.iter_mut().enumerate() {
            one.fenced = index == 0;
            one.thought = true;
            one.complete = index == 0;
        }
        reader.group(&mut found);
        let [.., last, list] = &found.candidates[..] else {
            panic!("a list")
        };
        assert!(!last.list && list.list);
        assert!(list.fenced && list.thought && !list.complete);
    });
}

/// Returns the group of each candidate that is kept of those of these groups.
fn kept(groups: &[u32]) -> Vec<u32> {
    let none = Records::of(0..0);
    let candidates = groups.iter().map(|&group| Reading {
        group,
        ..Reading::new(0, Span::of(0, 0), none, none)
    });
    let mut found = ReplySearch {
        candidates: candidates.collect(),
        ..ReplySearch::default()
    };
    found.drop_crowds();
    found.candidates.iter().map(|one| one.group).collect()
}

#[test]
fn long_runs_keep_their_first_values() {
    let most = GROUP_READINGS_MAX as usize;
    assert_eq!(kept(&vec![1; most]), vec![1; most]);
    assert_eq!(kept(&vec![1; most + 1]), vec![1; most]);
    assert_eq!(kept(&vec![0; most + 1]), vec![0; most + 1]);
    // Four runs share what one may keep.
    let most = RUN_READINGS_MAX as usize / 4;
    let runs = |length: usize| -> Vec<u32> {
        let runs = (1..=4).flat_map(|group| vec![group; length]);
        runs.chain([0, 0]).collect()
    };
    assert_eq!(kept(&runs(most)), runs(most));
    assert_eq!(kept(&runs(most + 1)), runs(most));
    // One of each is kept, however many runs there are.
    let many: Vec<u32> = (1..=RUN_READINGS_MAX + 1).collect();
    assert_eq!(kept(&many), many);
    // A run counts from its beginning, whatever stands between.
    assert_eq!(kept(&[1, 1, 0, 2, 2]), [1, 1, 0, 2, 2]);
}

#[test]
fn values_are_alike() {
    let names = |count: usize| {
        let names: Vec<_> = (0..count).map(|name| format!("\"{name}\": 1")).collect();
        names.join(", ")
    };
    let (near, far) = (names(NAMES_COMPARED - 1), names(NAMES_COMPARED));
    for (text, alike) in [
        ("[1] [2]", true),
        ("[1] {\"a\": 1}", false),
        ("{\"a\": 1} {\"a\": 2}", true),
        ("{\"a\": 1} {\"b\": 2}", false),
        ("{\"b\": 1, \"a\": 1} {\"c\": 2, \"a\": 1}", true),
        ("{\"a\": 1} {\"a\": 2} {\"b\": 2}", false),
        ("{\"a\": 1} {\"a\": 2, \"b\": 1} {\"b\": 2}", true),
        ("{} {}", false),
        ("[1]", true),
        (&format!("{{{near}, \"a\": 1}} {{\"a\": 1}}"), true),
        (&format!("{{{far}, \"a\": 1}} {{\"a\": 1}}"), false),
        (&format!("{{\"a\": 1}} {{{near}, \"a\": 1}}"), true),
        (&format!("{{\"a\": 1}} {{{far}, \"a\": 1}}"), false),
    ] {
        with_reader(text, |reader| {
            let found = read_values(reader).candidates;
            let found = alike_in_turn(reader.tape, text, &found);
            assert_eq!(found, alike, "{text:?}");
        });
    }
}
