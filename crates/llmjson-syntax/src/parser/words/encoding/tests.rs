//! Values that were written once more, and the texts that are made of them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{DecodedText, Encoding, LineMarks, diff_mark, entity, is_json_line, numbered};
use crate::base::repair::RepairKind;
use crate::parser::look::{LOOK_AHEAD, answers, ask};

const DOUBLED: Encoding = Encoding::DoubledQuotes { field: false };
const FIELD: Encoding = Encoding::DoubledQuotes { field: true };
const QUOTE: LineMarks = LineMarks::Quote(b'>');
const ADDED: LineMarks = LineMarks::Diff { removes: false };
const CHANGED: LineMarks = LineMarks::Diff { removes: true };

/// Returns the text that is made of a source, and whether all of the source was read.
fn decoded(encoding: Encoding, source: &str, limit: usize) -> (String, bool) {
    let decoded = encoding.decode(source, limit);
    (decoded.text, decoded.whole)
}

/// Returns the text that is made of a whole source, and the offsets in the source of its bytes and its end.
fn sources(encoding: Encoding, source: &str) -> (String, Vec<usize>) {
    let decoded = encoding.decode(source, source.len());
    assert!(decoded.whole, "{source}");
    let offsets = (0..=decoded.text.len()).map(|at| decoded.source(at));
    let offsets = offsets.collect();
    (decoded.text, offsets)
}

#[test]
fn encodings_are_taken_off_by_repairs() {
    for (encoding, kind) in [
        (Encoding::Escapes, RepairKind::EscapedDocument),
        (Encoding::Entities, RepairKind::HtmlEntities),
        (DOUBLED, RepairKind::CsvQuotes),
        (Encoding::Lines(QUOTE), RepairKind::LineMarks),
    ] {
        assert_eq!(encoding.kind(), kind);
        assert_eq!(encoding.decode("{}", 2).kind, kind);
    }
}

#[test]
fn offsets_are_those_of_the_source() {
    let none = DecodedText::of(RepairKind::EscapedDocument);
    assert_eq!(none.source(3), 3);
    let (text, offsets) = sources(Encoding::Escapes, r#"{\"ab\"}"#);
    assert_eq!(text, r#"{"ab"}"#);
    assert_eq!(offsets, [0, 1, 3, 4, 5, 7, 8]);
    let (text, offsets) = sources(Encoding::Entities, "{&lt;ab&gt;}");
    assert_eq!(text, "{<ab>}");
    assert_eq!(offsets, [0, 1, 5, 6, 7, 11, 12]);
    let (text, offsets) = sources(DOUBLED, r#"{""ab""}"#);
    assert_eq!(text, r#"{"ab"}"#);
    assert_eq!(offsets, [0, 1, 3, 4, 5, 7, 8]);
    let (text, offsets) = sources(Encoding::Lines(QUOTE), "{\n>a\n>b}");
    assert_eq!(text, "{\na\nb}");
    assert_eq!(offsets, [0, 1, 3, 4, 6, 7, 8]);
}

#[test]
fn escapes_are_decoded_up_to_a_limit() {
    let source = r#"ab\"cd\"ef"#;
    let of = |limit| decoded(Encoding::Escapes, source, limit);
    assert_eq!(of(100), ("ab\"cd\"ef".to_string(), true));
    assert_eq!(of(2), ("ab\"".to_string(), false));
    assert_eq!(of(3), ("ab\"cd".to_string(), false));
}

#[test]
fn entities_are_decoded_up_to_a_limit() {
    let source = "{&quot;a&quot;: 1}";
    let of = |limit| decoded(Encoding::Entities, source, limit);
    assert_eq!(of(100), ("{\"a\": 1}".to_string(), true));
    assert_eq!(of(1), ("{".to_string(), false));
    assert_eq!(of(2), ("{\"".to_string(), false));
    let plain = decoded(Encoding::Entities, "&x &lt;&y&&", 100);
    assert_eq!(plain, ("&x <&y&&".to_string(), true));
    // One part from one sign to the next.
    let parts = Encoding::Entities.decode("a&bc&lt;", 100).parts;
    assert_eq!(parts, [(0, 0), (1, 1), (4, 4), (5, 8)]);
}

#[test]
fn doubled_quotes_are_decoded_up_to_a_limit_or_the_end_of_the_field() {
    let of = |encoding, limit| decoded(encoding, r#"{""a"": 1}", 2"#, limit);
    assert_eq!(of(DOUBLED, 100), ("{\"a\": 1}\", 2".to_string(), true));
    assert_eq!(of(FIELD, 100), ("{\"a\": 1}".to_string(), true));
    assert_eq!(of(FIELD, 1), ("{".to_string(), false));
    assert_eq!(of(FIELD, 2), ("{\"".to_string(), false));
    let end = FIELD.decode(r#"{""a"": 1}", 2"#, 100);
    assert_eq!(end.source(end.text.len()), 10);
}

#[test]
fn marks_are_taken_off_lines() {
    for (marks, source, text) in [
        (QUOTE, "{\n> \"a\": 1\n>}", "{\n \"a\": 1\n}"),
        (
            LineMarks::Numbers(1),
            "{\n2: \"a\": 1\n3: }",
            "{\n \"a\": 1\n }",
        ),
        (
            LineMarks::Numbers(1),
            "{\n3: \"a\": 1\n3: }",
            "{\n3: \"a\": 1\n }",
        ),
        (ADDED, "{\n+ \"a\": 1\n }", "{\n \"a\": 1\n }"),
        (CHANGED, "{\n- \"a\": 1\n+ \"a\": 2\n }", "{\n \"a\": 2\n }"),
        // The first line begins behind its own mark.
        (QUOTE, "> {", "> {"),
    ] {
        let found = decoded(Encoding::Lines(marks), source, 1);
        assert_eq!(found, (text.to_string(), true), "{source:?}");
    }
}

#[test]
fn marks_stand_before_lines() {
    for (marks, line, length) in [
        (QUOTE, "> a", Some(1)),
        (QUOTE, "  > a", Some(3)),
        (QUOTE, "a", Some(0)),
        (QUOTE, "| a", Some(0)),
        (LineMarks::Numbers(1), "2: a", Some(2)),
        (LineMarks::Numbers(1), "3: a", Some(0)),
        (CHANGED, "- a", None),
        (CHANGED, "+ a", Some(1)),
        (ADDED, "- a", Some(1)),
        (ADDED, "+1", Some(0)),
        (ADDED, " a", Some(0)),
        (ADDED, "@@ 1 @@", None),
        (ADDED, "@ 1", Some(0)),
    ] {
        assert_eq!(marks.before(line, 2), length, "{line}");
    }
}

#[test]
fn numbers_stand_before_lines() {
    for (line, length) in [
        ("2: a", Some(2)),
        ("2| a", Some(2)),
        ("2. a", Some(2)),
        ("2) a", Some(2)),
        ("  2: a", Some(4)),
        ("\t2  : a", Some(5)),
        ("2\ta", Some(1)),
        ("2\n", Some(1)),
        ("2\r\n", Some(1)),
        ("2 a", Some(2)),
        ("2a", None),
        ("  2a", None),
        ("2", None),
        ("3: a", None),
        ("a", None),
        ("", None),
    ] {
        assert_eq!(numbered(line, 2), length, "{line:?}");
    }
}

#[test]
fn entities_are_read() {
    for (text, character, length) in [
        ("&quot;a", '"', 6),
        ("&apos;", '\'', 6),
        ("&amp;", '&', 5),
        ("&lt;", '<', 4),
        ("&gt;", '>', 4),
        ("&nbsp;", '\u{a0}', 6),
        ("&lbrace;", '{', 8),
        ("&lcub;", '{', 6),
        ("&rbrace;", '}', 8),
        ("&rcub;", '}', 6),
        ("&lbrack;", '[', 8),
        ("&lsqb;", '[', 6),
        ("&rbrack;", ']', 8),
        ("&rsqb;", ']', 6),
        ("&#34;", '"', 5),
        ("&#x22;", '"', 6),
        ("&#X22;", '"', 6),
        ("&#x000022;", '"', 10),
    ] {
        assert_eq!(entity(text), Some((character, length)), "{text}");
    }
    for text in [
        "quot;",
        "&quot",
        "&quux;",
        "&;",
        "&#;",
        "&#zz;",
        "&#x110000;",
        "&#x0000022;",
        "",
    ] {
        assert_eq!(entity(text), None, "{text}");
    }
}

#[test]
fn lines_begin_with_tokens() {
    for line in [
        "",
        "  ",
        "{",
        "} x",
        " [",
        "] x",
        "\"a\": 1",
        "\"a\" : x",
        "\"a\"",
        "\"a\",",
        "\"a\", \"b\"",
        "\"a\", true",
        "\"a\"}",
        "\"a\"]",
        "\"a\\\"b\": 1",
        "\"a\\\\\": 1",
        "1,",
        "-1.5",
        "1 ,",
        "1 : 2",
        "true",
        "false}",
        "null]",
    ] {
        assert!(is_json_line(line), "{line}");
    }
    for line in [
        "\"a\" b",
        "\"a\"; 1",
        "\"a\", b",
        "\"a",
        "\"a\\\": 1",
        "12 apples",
        "1, x",
        "1:",
        "tru",
        "print(x)",
        "a: 1",
    ] {
        assert!(!is_json_line(line), "{line}");
    }
}

#[test]
fn lines_of_diffs_begin_with_signs() {
    for line in [
        "+ \"a\": 1",
        "- a",
        "+\"a\"",
        "+'a'",
        "+{",
        "-}",
        "+[",
        "-]",
        "+a",
        "+",
        "+\t1",
    ] {
        assert!(diff_mark(line), "{line}");
    }
    for line in ["+1", "++", "--", "+(", " a", "a b", "\"", ""] {
        assert!(!diff_mark(line), "{line}");
    }
}

#[test]
fn first_quotes_show_the_encoding() {
    answers(
        |look| look.encoding_at(0),
        &[
            ("{\"\"a\"\": 1}", Some(DOUBLED)),
            ("[\"\"a\"\", 1]", Some(DOUBLED)),
            ("[{\"\"a\"\": 1}]", Some(DOUBLED)),
            ("{[\"\"a\"\", 1]}", Some(DOUBLED)),
            ("{\"a\": 1}", None),
            ("{\"\": 1}", None),
            ("{\"\"", None),
            ("{\"\"\"a\"\"\": 1}", None),
            ("{\\\"a\\\": 1}", Some(Encoding::Escapes)),
            ("[ {\\\"a\\\": 1}]", Some(Encoding::Escapes)),
            ("{a: \\\"x\\\"}", Some(Encoding::Escapes)),
            // Quotes in comments show nothing.
            ("{/* a: \\\"x\\\" */ \"a\": 1}", None),
            ("{/* \"b\" */ \\\"a\\\": 1}", Some(Encoding::Escapes)),
            ("{\\x", None),
            ("{a: 1}", None),
            ("{", None),
            ("{&quot;a&quot;: 1}", Some(Encoding::Entities)),
            ("{&#39;a&#39;: 1}", Some(Encoding::Entities)),
            ("{&amp;quot;a", Some(Encoding::Entities)),
            ("{&amp;#34;a", Some(Encoding::Entities)),
            ("{&amp;#x22;a", Some(Encoding::Entities)),
            ("{&amp;apos;a", Some(Encoding::Entities)),
            ("{&amp;#39;a", Some(Encoding::Entities)),
            ("{&amp;#x27;a", Some(Encoding::Entities)),
            ("{&#38;amp;amp;quot;a", Some(Encoding::Entities)),
            ("{&lt;a", None),
            ("{&amp;lt;a", None),
            ("{&amp;a", None),
            ("{&a", None),
        ],
    );
    assert_eq!(
        ask("\"{\"\"a\"\": 1}", |look| look.encoding_at(1)),
        Some(FIELD)
    );
    // The last quote that is looked at, and one beyond.
    let far = |letters: usize| alloc::format!("{{{}:\\\"x\\\"}}", "a".repeat(letters));
    let at = |text: &str| ask(text, |look| look.encoding_at(0));
    assert_eq!(at(&far(LOOK_AHEAD - 3)), Some(Encoding::Escapes));
    assert_eq!(at(&far(LOOK_AHEAD - 2)), None);
}

#[test]
fn escaped_quotes_open_and_close() {
    answers(
        |look| look.quotes_escaped(0),
        &[
            (r#"\"a\": 1"#, true),
            (r#"\\\"a"#, true),
            (r#"a: \"x\""#, true),
            (r#"a, \"x\""#, true),
            (r#"{\"x\""#, true),
            (r#"[ \"x\""#, true),
            (r#"a\": 1"#, true),
            (r#"a\" , b"#, true),
            (r#"a\"]"#, true),
            (r#"a\"}"#, true),
            (r#"a\n  \"x\" y"#, true),
            (r#"a\t\"x\" y"#, true),
            (r#"a\r\"x\" y"#, true),
            (r#"a\\n\\\"x\" y"#, true),
            (r#""a": 1"#, false),
            (r#"a: "x""#, false),
            (r"a: \'x\'", false),
            (r#"\\"a"#, false),
            (r#"a \"x\" b"#, false),
            (r#"a\" b"#, false),
            (r#"1}, \"x\""#, false),
            (r#"1], \"x\""#, false),
            ("a", false),
            ("", false),
        ],
    );
    assert!(ask(r#"xxxa\": 1"#, |look| look.quotes_escaped(3)));
}

#[test]
fn doubled_quotes_stand_around_names_and_items() {
    let doubled = |text: &str, object: bool| {
        let at = text.find(['{', '[']).expect("a bracket");
        ask(text, |look| look.quotes_doubled(at, at + 1, object))
    };
    assert_eq!(doubled("{\"\"a\"\": 1}", true), Some(DOUBLED));
    assert_eq!(doubled("[\"\"ab\"\" , 1]", false), Some(DOUBLED));
    assert_eq!(doubled("[\"\"a\"\"]", false), Some(DOUBLED));
    assert_eq!(doubled("\"{\"\"a\"\": 1}", true), Some(FIELD));
    assert_eq!(doubled("x{\"\"a\"\": 1}", true), Some(DOUBLED));
    for text in [
        "{\"\"a\"\", 1",
        "{\"\"a\"\"]",
        "{\"\"a\"\"}",
        "{\"\"a\" : 1}",
        "{\"\" \"\": 1}",
        "{\"\"a:b\"\": 1}",
        "{\"\"a,b\"\": 1}",
        "{\"\"a\nb\"\": 1}",
        "{\"\"a\\b\"\": 1}",
        "{\"\"a",
    ] {
        assert_eq!(doubled(text, true), None, "{text}");
    }
    assert_eq!(doubled("[\"\"a\"\": 1]", false), None);
}

#[test]
fn entities_open_values() {
    let opens = |text: &str, at: usize| ask(text, |look| look.entity_opens(at));
    assert!(opens("&lbrace;&quot;a", 0));
    assert!(opens("&lbrack; &#123;", 0));
    assert!(opens("x &lbrace;&quot;a", 2));
    assert!(opens("&quot;{", 0));
    assert!(opens("  &quot;", 2));
    assert!(!opens("&lbrace; a", 0));
    assert!(!opens("&rbrace;&quot;", 0));
    assert!(!opens("&lt;&quot;", 0));
    assert!(!opens("x &quot;", 2));
    assert!(!opens("a", 0));
}

/// Returns the marks before the lines of the first container of a text.
fn marks(text: &str, end: usize) -> Option<LineMarks> {
    let at = text.find('{').expect("a brace");
    ask(text, |look| look.line_marks(at, end))
}

#[test]
fn first_lines_show_their_marks() {
    for (text, expected) in [
        ("> {\n> }", Some(QUOTE)),
        ("x\n > {\n  >  \"a\": 1\n > }", Some(QUOTE)),
        ("| {\n| }", Some(LineMarks::Quote(b'|'))),
        ("> {\n}", None),
        ("> {\n| }", None),
        ("> {", None),
        ("1: {\n2: }", Some(LineMarks::Numbers(1))),
        (" 9. {\n10. }", Some(LineMarks::Numbers(9))),
        ("1 {\n2 }", Some(LineMarks::Numbers(1))),
        ("1: {\n3: }", None),
        ("1: x {\n2: }", None),
        ("4294967295: {\n4294967296: }", None),
        ("99999999999: {\n1: }", None),
        ("{\n+ \"a\": 1\n }", Some(ADDED)),
        ("+{\n+ \"a\": 1\n+}", Some(ADDED)),
        ("{\n- \"a\": 1\n+ \"a\": 2\n }", Some(CHANGED)),
        ("{\n+ \"a\": 2\n- \"a\": 1\n }", Some(CHANGED)),
        // A list of Markdown takes nothing away.
        ("{\n- \"a\": 1\n }", Some(ADDED)),
        ("{\n+1\n+ \"a\": 1\n }", Some(ADDED)),
        ("{\n \"a\": 1\n}", None),
        ("{\n+1\n}", None),
        ("{\n+ \"a\": 1\n+ x y z\n}", None),
        ("x {\n+ \"a\": 1\n}", None),
        ("{}", None),
    ] {
        assert_eq!(marks(text, text.len()), expected, "{text:?}");
        assert_eq!(marks(text, 0), expected, "{text:?}");
    }
    let used_up = ask("> {\n> }", |look| {
        look.charge(1 << 40);
        look.line_marks(2, 7)
    });
    assert_eq!(used_up, None);
}

#[test]
fn marks_are_looked_for_up_to_the_end() {
    let gap = " ".repeat(LOOK_AHEAD);
    let below = alloc::format!("{{{gap}\n+ \"a\": 1}}");
    assert_eq!(marks(&below, 1), None);
    assert_eq!(marks(&below, below.len()), Some(ADDED));
    let value = "{\n+ \"a\": 1\n}";
    let behind = alloc::format!("{value}{gap}\n+ x y z\n");
    assert_eq!(marks(&behind, value.len()), Some(ADDED));
    assert_eq!(marks(&behind, behind.len()), None);
}

#[test]
fn looking_for_marks_has_a_price() {
    let (line, indent, below) = ("a".repeat(19), " ".repeat(63), " ".repeat(32));
    let text = alloc::format!("{line}\n{indent}{{\n{below}");
    let spent = ask(&text, |look| {
        look.line_marks(83, text.len());
        look.work.get().spent()
    });
    // The indentation, the window and the lines below.
    assert_eq!(spent, 4 + 5 + 3);
}
