//! An answer that is whole JSON, beside code and templates that look like damaged JSON.

use llmjson::{Schema, parse};
use llmjson_testutil::table::{Lines, lines, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("whole.txt");

static SNIPPETS: Lines = Lines::new(|| lines(FILE, "snippets"));

/// A snippet and an answer in one reply.
fn frames(snippet: &str, answer: &str) -> [String; 10] {
    let indented = |text: &str, space: &str| text.replace('\n', &format!("\n{space}"));
    [
        format!("{snippet}\n{answer}"),
        format!("{snippet}\n\n```json\n{answer}\n```"),
        format!("Here is the code:\n\n{snippet}\n\nAnd the result:\n\n{answer}\n"),
        format!("The code:\n\n```\n{snippet}\n```\n\nThe result:\n\n{answer}\n"),
        format!("```x\n{snippet}\n```\n\n```json\n{answer}\n```\n"),
        format!("The code of \"f\":\n\n```x\n{snippet}\n```\n\n```json\n{answer}\n```\n"),
        format!(
            "Code:\n\n    {}\n\nResult:\n\n    {answer}\n",
            indented(snippet, "    ")
        ),
        format!(
            "1. Code:\n\n   {}\n\n2. Result:\n\n   {answer}\n",
            indented(snippet, "   ")
        ),
        format!("{answer}\n\nThis follows from the code:\n\n{snippet}\n"),
        format!("```json\n{answer}\n```\n\nThe code:\n\n```\n{snippet}\n```\n"),
    ]
}

/// Counts the replies that are not read as their answers.
fn missed(with_schema: bool) -> (usize, usize) {
    let (mut all, mut missed) = (0, 0);
    for [answer, schema] in rows_of(FILE, "answers") {
        let schema = Schema::from_text(schema).unwrap();
        let json = llmjson::syntax::parse(answer).to_json();
        for text in SNIPPETS.iter().flat_map(|snippet| frames(snippet, answer)) {
            let parsed = parse(&text, Some(&schema).filter(|_| with_schema));
            let right = parsed.conforms() && parsed.to_json() == json;
            assert!(right || !with_schema, "{text:?}");
            (all, missed) = (all + 1, missed + usize::from(!right));
        }
    }
    (all, missed)
}

#[test]
fn whole_answers_are_read_beside_code() {
    assert_eq!(missed(true), (870, 0));
}

#[test]
fn whole_answers_are_read_without_a_schema() {
    let (all, missed) = missed(false);
    assert!(missed * 7 <= all, "{missed} of {all}");
}

#[test]
fn text_in_strings_stays_in_them() {
    for text in lines(FILE, "text in strings stays in them") {
        let parsed = parse(text, None);
        let root = parsed.value().unwrap();
        let names: Vec<_> = root.members().map(|(name, _)| name.into_owned()).collect();
        assert_eq!(names.last().map(String::as_str), Some("n"), "{text:?}");
        assert_eq!(names.len(), 2, "{text:?}");
    }
}
