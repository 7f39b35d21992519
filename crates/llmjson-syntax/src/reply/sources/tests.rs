//! The texts of sources.

use super::SOURCES;

/// Sources by their names, each with a reply and the text that it makes of it.
const TEXTS: &[(&str, &str, Option<&str>)] = &[
    (
        "before_turn",
        "{\"a\": 1\nUser: And then?\nAssistant: 2",
        Some("{\"a\": 1"),
    ),
    (
        "before_turn",
        "User: a?\nAssistant: {\"a\": 1}\nUser: b?\nAssistant: 2",
        None,
    ),
    (
        "from_restart",
        "{\"boat\": \"Al{\"boat\": \"Alma\"}",
        Some("{\"boat\": \"Alma\"}"),
    ),
    (
        "from_restart",
        "{\"crew\": 20,\n{\"crew\": 20, \"boat\":\n{\"crew\": 20, \"boat\": 1}",
        Some("{\"crew\": 20, \"boat\": 1}"),
    ),
    (
        "from_restart",
        "{\"boat\": \"Alma\", \"crew\": [\"\n```\n```json\n{\"boat\": \"Alma\", \"crew\": [\"Bo\"]}",
        Some("{\"boat\": \"Alma\", \"crew\": [\"Bo\"]}"),
    ),
    ("from_restart", "{\"children\": [{\"children\": [{", None),
    ("from_restart", "[{\"boat\": 1}, {\"boat\": 2}]", None),
    (
        "joined_parts",
        "```\n{\"a\": 1, \"my boats\": [\n```\n```\n\"my boats\": [1]}\n```",
        Some("```\n{\"a\": 1, \"my boats\": [1]}\n```"),
    ),
    ("joined_parts", "{\"a\": 1}\n(continued)\n{\"b\": 2}", None),
    (
        "repeats",
        "{\"boat\": \"Alma\", \"crew\": [\"Ida\", \"B\", \"crew\": [\"Ida\", \"Bo\"]}",
        Some("{\"boat\": \"Alma\", \"crew\": [\"Ida\", \"Bo\"]}"),
    ),
    (
        "repeats",
        "{\"boat\": \"Alma the third\nthe third\", \"crew\": 2: \"Alma the third\", \"crew\": 2}",
        Some("{\"boat\": \"Alma the third\", \"crew\": 2}"),
    ),
    (
        "repeats",
        "[{\"boat\": 1}, {\"boat\": 1}, {\"boat\" 1}]",
        None,
    ),
    (
        "literals",
        "print('{\"a\": ')\nprint('1}')",
        Some("print({\"a\": 1})"),
    ),
    (
        "markdown",
        "\\{\"a\\_b\": \\[1\\]\\}",
        Some("{\"a_b\": [1]}"),
    ),
    ("markdown", "{\"a\": \"\\\\[x\\\\]\"}", None),
    (
        "frames",
        "A1b | {\nC22 | \"a\": 1\nD33 | }",
        Some("{\n\"a\": 1\n}"),
    ),
    (
        "frames",
        "INFO  {\nDEBUG \"a\": 1\nINFO  }",
        Some("{\n\"a\": 1\n}"),
    ),
    ("frames", "a {\nb \"a\": 1", None),
    (
        "diff",
        " {\n- \"a\": 1\n+ \"a\": 2\n }",
        Some(" {\n \"a\": 2\n }"),
    ),
    ("diff", "- a\n- b", Some(" a\n b")),
    ("diff", "+1\n--\n{}", None),
    (
        "doubled_quotes",
        "7,\"{\"\"a\"\": \"\"\"\"}\",x",
        Some("7,{\"a\": \"\"},x"),
    ),
    ("doubled_quotes", "{\"a\": \"\"}", None),
    (
        "backslashes",
        "{\\\"a\\\": \\\"\\\\n\\\"}",
        Some("{\"a\": \"\\n\"}"),
    ),
    ("email", "{=22a=22: =\n1}", Some("{\"a\": 1}")),
    ("email", "Order(id=17, code=42)", None),
    ("codes", "{_x0022_a_x0022_: 1}", Some("{\"a\": 1}")),
    (
        "codes",
        "{\\u{22}a\\u{22}: \\u{1f600}}",
        Some("{\"a\": 😀}"),
    ),
    ("codes", "{<U+0022>a<U+0022>: 1}", Some("{\"a\": 1}")),
    ("codes", "%7B%22a%22%3A+1%7D", Some("{\"a\": 1}")),
    ("codes", "{\\042\\303\\251\\042: 1}", Some("{\"é\": 1}")),
    ("codes", "{a: 'see #22, #22 and #foo, #bar, #baz'}", None),
    (
        "carets",
        "{$\n^I\"a\": \"2^I\"^M$\n}",
        Some("{$\n\t\"a\": \"2^I\"$\n}"),
    ),
    (
        "page",
        "<table><tr><td>1</td><td>{</td></tr>\n<tr>",
        Some("\n 1  { \n"),
    ),
    ("colors", "{[32m\"a\"[0m: 1}", Some("{\"a\": 1}")),
    (
        "full_width",
        "｛＂n＂：＂ｘ，ｙ＂，＂m＂：１｝",
        Some("{\"n\":\"ｘ，ｙ\",\"m\":1}"),
    ),
    ("full_width", "｛＂ｎ＂：１｝", Some("{\"n\":1}")),
    ("full_width", "{\"a\"：1}", None),
    (
        "other_punctuation",
        "{⟨a⟩ → 1 ¦ ⟨b \"c\"⟩ → [⟨d⟩ ¦ ⟨e⟩]}",
        Some("{\"a\" : 1 , \"b \\\"c\\\"\" : [\"d\" , \"e\"]}"),
    ),
    (
        "other_punctuation",
        "⦃``a'': -1, ``b'': ⟦``x'', 2⟧⦄.",
        Some("{\"a\": -1, \"b\": [\"x\", 2]}."),
    ),
    (
        "other_punctuation",
        "[\"a\"، \"b\"، \"c\"",
        Some("[\"a\", \"b\", \"c\""),
    ),
    // The arrow occurs only once, and the parser reads `=>` and `;` by itself.
    ("other_punctuation", "{\"a\" → 1}", None),
    ("other_punctuation", "{'a' => 1; 'b' => 2}", None),
    ("other_punctuation", "{$x$ = 5}", None),
    ("other_punctuation", "[1,,1,,1]", None),
    ("other_punctuation", "{\"a\": {“b”: 1}}", None),
    ("invisible", "{\u{200b}\"a\": a\u{8}a}", Some("{\"a\": a}")),
    ("invisible", "{\"a\": \"👩\u{200d}👧\"}", None),
];

#[test]
fn texts_are_made() {
    for &(name, reply, text) in TEXTS {
        let mut sources = SOURCES.iter().filter(|source| source.name == name);
        let made = sources.find_map(|source| (source.make)(reply));
        let made = made.map(|derived| derived.text);
        assert_eq!(made.as_deref(), text, "{name}: {reply}");
    }
}
