//! Beginnings of JSON whose strings hold code, Markdown, JSON and LaTeX, and of JSON with what the loop reads besides.

use llmjson_syntax::{Stream, laws, parse};
use serde_json::json;

/// Texts that look like other things than the strings that they are.
const TEXTS: [&str; 9] = [
    "import { x } from y;\nf(() => {\n  g({ a: 1, b: 2 });\n  if (a[0]) { return [b, 'c']; }\n});\n",
    "# Title\n\n```json\n{\"a\": [1, 2], \"b\": {\"c\": \"d\"}}\n```\n\n- [x] done\n- `f({})`: see [this](https://a.b/c)\n",
    "{\"query\": \"{ user(id: 1) { name } }\", \"variables\": {\"n\": [1, {\"a\": \"b, c\"}]}}",
    "\\frac{a}{b} \\in \\{1, \\dots, n\\}, \\textbf{x}: $\\sum_{i=1}^{n} i$",
    "def f(a, b=None):\n    \"\"\"Says 'hi', to: {a}.\"\"\"\n    return {'a': [a, b], \"c\": f'{b!r}'}\n",
    "SELECT \"a\", 'b' FROM t WHERE x IN (1, 2); -- {\"a\": 1}, \"b\": 2}",
    "body { margin: 0; }\n.a > .b { color: #fff }\n/* x: y, */",
    "It's \"fine\", he said: \"no\": 5\" by 6\", (see [1], [2]).",
    "C:\\Users\\new\\table.txt, \\\\host\\share",
];

/// Documents that hold the texts, in one line or with a line for each member.
fn documents() -> Vec<String> {
    let mut documents = Vec::new();
    for (at, text) in TEXTS.iter().enumerate() {
        let other = TEXTS[(at + 4) % TEXTS.len()];
        for value in [
            json!({"file": "a.ts", "content": text, "done": false}),
            json!([{"name": "write", "arguments": {"path": "a", "text": text}}, {"n": [1.5, null, other]}]),
            json!({"steps": [[text, other], {"k": {"deep": [text]}}]}),
        ] {
            documents.push(value.to_string());
            documents.push(serde_json::to_string_pretty(&value).expect("a value can be written"));
        }
    }
    documents
}

/// The same with comments, bare names and commas too many.
fn lenient(document: &str) -> String {
    let text = document.replacen("\n", "\n// first\n", 1);
    let text = text
        .replace("\"file\": ", "file: ")
        .replace("\"steps\": ", "steps: ");
    text.replace("\n}", ",\n}")
        .replace(" false", " /* no */ false")
}

#[test]
fn beginnings_are_truncated() {
    let mut lenients = 0;
    for document in documents() {
        laws::beginnings_are_truncated(&document);
        let lenient = lenient(&document);
        lenients += usize::from(lenient != document && !parse(&lenient).repairs().is_empty());
        laws::beginnings_are_truncated(&lenient);
    }
    assert!(lenients >= TEXTS.len());
}

/// Gaps before the first value hold a stream back no longer than they are.
#[test]
fn streams_begin_behind_a_comment() {
    let members = "\"a\": \"first and more of it\", \"b\": 2}";
    let long = format!("\"a\": \"{}\"}}", "long text ".repeat(100));
    for gap in [
        "// c\n",
        "# c\n",
        "/* c */ ",
        "\u{a0}",
        "// c\n// d\n",
        "// a longer comment, of some words\n",
    ] {
        for rest in [members, &long] {
            for opener in ["{ ", "Sure:\n{ ", "```json\n{\n"] {
                let text = format!("{opener}{gap}{rest}");
                let begins = text
                    .find("first")
                    .or(text.find("long text"))
                    .expect("a value");
                let mut stream = Stream::new();
                let shows = (0..text.len())
                    .filter(|at| text.is_char_boundary(*at + 1))
                    .scan(0, |from, at| {
                        stream.push(&text[*from..=at]);
                        *from = at + 1;
                        Some((
                            at,
                            stream
                                .document()
                                .to_json()
                                .is_some_and(|json| json.contains("\"a\":\"")),
                        ))
                    });
                let shown = shows.into_iter().find(|(_, shown)| *shown).map(|one| one.0);
                assert!(
                    shown.is_some_and(|at| at < begins + 24),
                    "{shown:?} of {text:?}"
                );
            }
        }
    }
}
