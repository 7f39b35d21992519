//! The table of snippets whose texts were slow once, or may become so.

use llmjson::Schema;
use llmjson::laws::{Way, cost_with_schema};

use crate::{Measured, SHORT};

/// A number of its own in each snippet.
const COUNTER: char = '§';

/// The lengths of the texts.
pub(crate) const SIZES: [usize; 2] = [SHORT, 4 * SHORT];

/// The ways of the search.
pub(crate) const SEARCHED: [&str; 5] = [
    "parse",
    "parse record",
    "calls",
    "stream record by 7",
    "stream all by 64",
];

const REPLY: &[&str] = &["parse", "parse record"];
const ROWS_OF: &[&str] = &["parse rows"];
const CALLS: &[&str] = &["calls", "calls by 64"];
const STREAM: &[&str] = &["stream all by 64", "stream record by 7"];

/// The ways to read a text, and its parts: every second one is repeated.
struct Row(&'static [&'static str], &'static [&'static str]);

#[rustfmt::skip] // A row is a line.
const ROWS: &[Row] = &[
    // Lines of logs and lists.
    Row(REPLY, &["", "12:00:01 INFO {\"id\": 7}\n", ""]),
    Row(REPLY, &["", "- {\"id\": 7}\n", ""]),
    Row(REPLY, &["", "1. {\"id\": 7}\n", ""]),
    Row(REPLY, &["", "Item 7: {\"id\": 7}\n", ""]),
    Row(REPLY, &["", "12:00:01 INFO {\n12:00:01 INFO \"id\": 7}\n", ""]),
    Row(REPLY, &["", "> {\"a\": \"x\n", ""]),
    Row(REPLY, &["", "| {\"a\": 1} |\n", ""]),
    Row(REPLY, &["", "# {\"a\": [\n", ""]),
    Row(REPLY, &["", "data: {\"a\": \"x\"}\n\n", ""]),
    Row(REPLY, &["", "+ {\"a\": 1,\n- {\"a\": 2,\n", ""]),
    Row(REPLY, &["", "User: {\"a\": 1}\nAssistant: ", ""]),
    // Values after each other.
    Row(REPLY, &["{\"a\": 1} ", "[1] ", ""]),
    Row(REPLY, &["{\"a\": 1} ", "[\"a\", 2] ", ""]),
    Row(REPLY, &["{\"a\": 1}\n", "no, \"a\" should be 2. ", ""]),
    Row(REPLY, &["", "{\"a\": 1} ", ""]),
    Row(REPLY, &["", "{\"a\": 1}\n\n", ""]),
    Row(REPLY, &["", "Actually {\"a\": 1}\n", ""]),
    Row(REPLY, &["", "[{\"op\": \"replace\", \"path\": \"/a\", \"value\": 2}]\n", ""]),
    Row(REPLY, &["{\"a\": 1}", "{\"a\": ", ""]),
    Row(REPLY, &["{\"a\": ", "[1, ", ""]),
    // Quotes.
    Row(REPLY, &["", "\"", ""]),
    Row(REPLY, &["", "{'a': 'it's ", ""]),
    Row(REPLY, &["{\"note\": \"", "print(\"x\")\n", "\"}"]),
    Row(REPLY, &["{\"note\": \"", "print(\"x\"), ", "\"}"]),
    Row(REPLY, &["{\"note\": \"", "a, \"b\" c ", "\"}"]),
    Row(REPLY, &["{\"a\": 1, \"note\": \"", "x\", \"y", "\"}"]),
    Row(REPLY, &["{\"note\": ", "'it's, ", "}"]),
    Row(REPLY, &["[", "'", ""]),
    Row(REPLY, &["{", "\"k§: \"v, ", "}"]),
    Row(REPLY, &["{", "k§: v\", ", "}"]),
    Row(REPLY, &["{\"note\": \"", "“x” ", "\"}"]),
    Row(REPLY, &["{\"note\": \"", "{\"a\": \"b\"}, ", "\"}"]),
    Row(REPLY, &["{\"note\": \"", "\\\"x\\\", ", "\"}"]),
    Row(REPLY, &["{\"note\": \"\"\"", "x \"y\" ", "\"\"\"}"]),
    Row(REPLY, &["{\"note\": `", "${x} \\` ", "`}"]),
    // Strings without quotes.
    Row(REPLY, &["", "&lt;${=>>{{count", ""]),
    Row(REPLY, &["{a: ", "x (y, ", "}"]),
    Row(REPLY, &["{a: ", "x) y; ", "}"]),
    Row(REPLY, &["{a: ", "f(x), g[y], {z} ", "}"]),
    Row(REPLY, &["{note: ", "word, ", "}"]),
    Row(REPLY, &["{note: ", "word tags ", "}"]),
    Row(REPLY, &["", "a = {\"b\": ", ""]),
    // Comments and delimiters.
    Row(REPLY, &["{", "\"b\":t's+//\\=", ""]),
    Row(REPLY, &["", "\"b\":t's+//\\=", ""]),
    Row(REPLY, &["{a", ":", ""]),
    Row(REPLY, &["{a", "=", ""]),
    Row(REPLY, &["{a", "//", ""]),
    Row(REPLY, &["{a", "##", ""]),
    Row(REPLY, &["{\"a", ":", "}"]),
    Row(REPLY, &["{\"a\"", "=", "}"]),
    Row(REPLY, &["{\"a\" ", "// x ", "}"]),
    Row(REPLY, &["{\"a\": 1 ", "# x\n", "}"]),
    Row(REPLY, &["{", "/* x */ ", "}"]),
    Row(REPLY, &["{", "/* ", ""]),
    Row(REPLY, &["{", "<!-- ", ""]),
    Row(REPLY, &["[1", ", ...", "]"]),
    Row(REPLY, &["{\"a\"", " => ", "}"]),
    Row(REPLY, &["[", "- ", "]"]),
    Row(REPLY, &["{\"note\": \"", "\\", ""]),
    Row(REPLY, &["{\"note\": \"", "\\u00", "\"}"]),
    Row(REPLY, &["{", "&quot;a§&quot;: 1, ", "}"]),
    // Other notations.
    Row(REPLY, &["<p></p>", "<ul><li>x", ""]),
    Row(REPLY, &["<p></p>", "<ul><li>a: x", ""]),
    Row(REPLY, &["<ul>", "<li>a: x</li>", "</ul>"]),
    Row(REPLY, &["", "<table><tr><td>a", "</p>"]),
    Row(REPLY, &["<table>", "<tr><td>a</td><td>1</td></tr>", "</table>"]),
    Row(REPLY, &["| a ", "| b§ ", "|\n|---|---|\n| 1 | 2 |\n"]),
    Row(ROWS_OF, &["| a | note | ", "x y ", " |\n|---|---|---|\n", "| 1 | 2 | 3 |\n", ""]),
    Row(ROWS_OF, &["a,note,", "x y ", "\n", "1,2,3\n", ""]),
    Row(REPLY, &["{\"a\": 1", ", \"//§\": 1", "}"]),
    Row(REPLY, &["| a | b |\n|---|---|\n", "| 1 | x |\n", ""]),
    Row(REPLY, &["", "| a | b |\n|---|---|\n| 1 | x |\n\n", ""]),
    Row(REPLY, &["", "a: 1\nnote: x\n", ""]),
    Row(REPLY, &["a: 1\n", "tags:\n  - x\n", ""]),
    Row(REPLY, &["", "## a\n\n1\n\n", ""]),
    Row(REPLY, &["", "[[ ## a ## ]]\n1\n", ""]),
    Row(REPLY, &["", "<a>1</a>", ""]),
    Row(REPLY, &["", "<a>", ""]),
    Row(REPLY, &["[a]\n", "k§ = 1\n", ""]),
    Row(REPLY, &["Array\n(\n", "    [k§] => 1\n", ")\n"]),
    // Fences, tags and thoughts.
    Row(REPLY, &["", "```json\n{\"a\": 1}\n```\n", ""]),
    Row(REPLY, &["", "```\n", ""]),
    Row(REPLY, &["", "```)a", ""]),
    Row(REPLY, &["", "`{\"a\": 1}` ", ""]),
    Row(REPLY, &["<think>", "{\"a\": 1} ", "</think>{\"a\": 2}"]),
    Row(REPLY, &["", "x</think>", "{\"a\": 1}"]),
    Row(REPLY, &["", "<tool_call>{\"a\": 1}</tool_call>\n", ""]),
    // Streams.
    Row(STREAM, &["", "x</think>", ""]),
    Row(STREAM, &["", "<think>x</think>", "{\"a\": 1}"]),
    Row(STREAM, &["", "prose [1] and {x}. ", "{\"a\": 1}"]),
    Row(STREAM, &["[", "{\"a\": 1, \"note\": \"x\"}, ", "]"]),
    Row(STREAM, &["{\"note\": \"", "x \"y\" ", "\"}"]),
    Row(STREAM, &["{\"tags\": [", "'x', ", "]}"]),
    Row(STREAM, &["{\"note\": \"", "x\\n", ""]),
    Row(STREAM, &["{ // c\n", "\"k§\": 1, // d\n", "}"]),
    Row(STREAM, &["", "{\"a\": 1}\n", ""]),
    Row(STREAM, &["", "```json\n{\"a\": 1}\n```\n", ""]),
    Row(STREAM, &["{", "k§: v, ", "}"]),
    // Calls in texts.
    Row(CALLS, &["", "Action: search\nAction Input: {\"query\": \"x\"}\n", ""]),
    Row(CALLS, &["", "{\"a\": 1}]", ""]),
    Row(CALLS, &["", "Action:", ""]),
    Row(CALLS, &["", "Action: x\n", ""]),
    Row(CALLS, &["", "Action: search\nAction Input: ", ""]),
    Row(CALLS, &["", "`search` ", "search(query=\"x\")"]),
    Row(CALLS, &["", "`x`", "\nsearch(query=\"x\")"]),
    Row(CALLS, &["```\n", "print(1)\n", "```\nsearch(query=\"x\")"]),
    Row(CALLS, &["", "```\nsearch(query=\"x\")\n```\n", ""]),
    Row(CALLS, &["", "search(query=\"x\")\n", ""]),
    Row(CALLS, &["", "search(", ""]),
    Row(CALLS, &["", "[search(query=\"x\"), ", ""]),
    Row(CALLS, &["", "<tool_call>{\"name\": \"search\", \"arguments\": {\"query\": \"x\"}}</tool_call>\n", ""]),
    Row(CALLS, &["", "<tool_call>", ""]),
    Row(CALLS, &["", "{\"name\": \"search\", \"arguments\": {\"query\": \"x\"}}\n", ""]),
    Row(CALLS, &["", "{\"name\": \"search\", \"arguments\": ", ""]),
    Row(CALLS, &["", "<function=search><parameter=query>x", ""]),
    Row(CALLS, &["", "<function=search><parameter=query>x</parameter></function>", ""]),
    Row(CALLS, &["", "<invoke name=\"search\"><parameter name=\"query\">x</parameter></invoke>\n", ""]),
    Row(CALLS, &["", "<|tool_call_begin|>search<|tool_sep|>", ""]),
    Row(CALLS, &["", "x</think>", ""]),
    Row(CALLS, &["", "> search(query=\"x\")\n", ""]),
    Row(CALLS, &["", "\"", ""]),
    Row(CALLS, &["", "call search with {\"query\": \"x\"}. ", ""]),
    Row(CALLS, &["{\"name\": \"search\", \"arguments\": {\"query\": \"", "print(\"x\"), ", "\"}}"]),
];

impl Row {
    fn text(&self, size: usize) -> String {
        let &Self(_, parts) = self;
        let once: usize = parts.iter().step_by(2).map(|part| part.len()).sum();
        let each = (size - once) / (parts.len() / 2);
        let mut text = String::with_capacity(size);
        for (at, part) in parts.iter().enumerate() {
            let end = text.len() + if at % 2 == 0 { part.len() } else { each };
            for number in 0.. {
                if text.len() + part.len() > end || part.is_empty() {
                    break;
                }
                text += &part.replace(COUNTER, &number.to_string());
            }
        }
        text
    }

    fn name(&self) -> String {
        format!("{:?}", self.1)
    }
}

/// Returns the texts of the rows whose name contains `part`.
pub(crate) fn measured(ways: &[Way], part: &str) -> Vec<Measured> {
    let mut all = Vec::new();
    for row in ROWS.iter().filter(|row| row.name().contains(part)) {
        for name in row.0 {
            all.push(Measured {
                name: row.name(),
                way: way(ways, name),
                texts: SIZES.map(|size| row.text(size)),
            });
        }
    }
    all
}

/// Returns all ways to read texts: those of the law of work, and with a schema of rows.
pub(crate) fn ways() -> Vec<Way> {
    let rows = r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"note":{"type":"string"}},"required":["a"]}}"#;
    let rows = Schema::from_text(rows).expect("the schema above is right");
    let mut all = llmjson::laws::ways();
    all.push(Way::new("parse rows", move |text: &str| {
        cost_with_schema(text, &rows)
    }));
    all
}

/// Returns the number of a way to read texts.
pub(crate) fn way(ways: &[Way], name: &str) -> usize {
    let found = ways.iter().position(|way| way.name == name);
    found.unwrap_or_else(|| panic!("there is no way {name}"))
}
