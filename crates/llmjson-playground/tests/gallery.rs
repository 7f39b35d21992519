//! The gallery, which is taken from the corpus: `UPDATE_SNAPSHOTS=1` writes it anew.

use std::path::Path;

use serde::Serialize;

#[allow(dead_code)]
#[path = "../../llmjson/tests/support/cases.rs"]
mod cases;

/// Kind, name, and case of each example, in the order in which they are shown.
const EXAMPLES: &[(&str, &str, &str)] = &[
    (
        "Whole replies",
        "An order, damaged and truncated",
        "demo/demo/order",
    ),
    (
        "Whole replies",
        "An invoice that does not fit",
        "demo/demo/invoice",
    ),
    (
        "Damaged text",
        "Code with quotes of its own",
        "repaired/inner_quote/lines_like_members",
    ),
    (
        "Damaged text",
        "A file inside a string",
        "repaired/unescaped_json/file_contents",
    ),
    (
        "Damaged text",
        "A quote left out",
        "repaired/missing_quote/before_unquoted_members",
    ),
    (
        "Damaged text",
        "A wrong bracket",
        "repaired/wrong_closer/list_of_objects",
    ),
    (
        "Damaged text",
        "A member behind a comment",
        "repaired/comment/members_behind_a_comment",
    ),
    (
        "Damaged text",
        "Objects of Python",
        "repaired/wrapper/named_arguments",
    ),
    ("Damaged text", "Tuples of Python", "repaired/tuple/nested"),
    (
        "Damaged text",
        "Quotes doubled as in CSV",
        "repaired/csv_quotes/with_damage",
    ),
    (
        "Several values",
        "A correction",
        "repaired/chosen_value/correction",
    ),
    (
        "Several values",
        "Another value under a condition",
        "repaired/chosen_value/condition_later",
    ),
    (
        "Several values",
        "Numbered values",
        "repaired/several_values/numbered_with_words_of_drafts",
    ),
    (
        "Several values",
        "A draft in the thoughts",
        "repaired/reasoning_block/with_json",
    ),
    (
        "Truncated",
        "Within a word of Python",
        "truncated/code/python",
    ),
    (
        "Truncated",
        "With a notice",
        "truncated/containers/notice_behind_an_item",
    ),
    ("Truncated", "Within a string", "truncated/strings/german"),
    (
        "Changed to fit",
        "Dates and times in words",
        "coerced/written_time/in_words",
    ),
    (
        "Changed to fit",
        "A numbered map for a list",
        "coerced/other_layout/numbered",
    ),
    (
        "Changed to fit",
        "A number in words",
        "coerced/written_number/word_with_unit",
    ),
    (
        "Changed to fit",
        "Another name of a choice",
        "coerced/enum_alias/documented",
    ),
    (
        "Changed to fit",
        "A choice in prose",
        "coerced/value_from_prose/enum_after_thoughts",
    ),
    (
        "Does not fit",
        "A choice that is misspelled",
        "invalid/enum/near",
    ),
    (
        "Does not fit",
        "A branch of a union",
        "invalid/required/tagged_union",
    ),
    (
        "Does not fit",
        "A date of two orders",
        "invalid/format/date_of_two_orders",
    ),
    (
        "Does not fit",
        "A number with another unit",
        "refused/unit_number/other_unit",
    ),
    (
        "Does not fit",
        "A refusal without a value",
        "no_value/prose/refusal",
    ),
    (
        "Calls of tools",
        "Hermes, with a dict of Python",
        "calls/hermes/python_dict",
    ),
    (
        "Calls of tools",
        "DeepSeek, behind thoughts",
        "calls/deepseek/reasoning",
    ),
    (
        "Calls of tools",
        "Qwen3-Coder, typed by the schema",
        "calls/qwen3-coder/typed_by_schema",
    ),
];

#[derive(Serialize)]
struct Example<'c> {
    kind: &'c str,
    name: &'c str,
    reply: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    schema: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tools: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tab: &'c str,
}

#[test]
fn the_gallery_is_that_of_the_corpus() {
    let files = cases::read_all();
    let examples = EXAMPLES.iter().map(|(kind, name, path)| {
        let found = files.iter().flat_map(|file| &file.cases);
        let found = found.into_iter().find(|case| case.name() == *path);
        let case = found.unwrap_or_else(|| panic!("no case is named {path}"));
        let part = |name| case.get(name).unwrap_or_default();
        let tools = part("tools");
        let example = Example {
            kind,
            name,
            reply: part("reply"),
            schema: part("schema"),
            tools,
            tab: if tools.is_empty() { "" } else { "calls" },
        };
        // The page holds it within an element that a closing tag would end.
        serde_json::to_string(&example)
            .expect("texts are JSON")
            .replace('<', "\\u003c")
    });
    let written = format!("[\n{}\n]\n", examples.collect::<Vec<_>>().join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/gallery.json");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &written).expect("the gallery can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("there is a gallery");
    assert!(
        kept == written,
        "the corpus has changed: UPDATE_SNAPSHOTS=1 writes the gallery anew"
    );
    assert_eq!(EXAMPLES.len(), 30);
}
