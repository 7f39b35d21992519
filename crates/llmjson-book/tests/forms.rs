//! The tables of the book whose cells are inputs: each example is parsed, and has the class and the value that its row says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use llmjson::Schema;

/// Schemas, with the examples of `forms.md` that they are for: those that are read, and those that stay a violation.
///
/// A schema is that of the property `key`, whose value is the example as a string, unless the example is followed by
/// the input. Without a key it is that of the input.
struct Group {
    key: &'static str,
    schema: &'static str,
    read: &'static [&'static str],
    stays: &'static [&'static str],
}

const fn group(
    key: &'static str,
    schema: &'static str,
    read: &'static [&'static str],
    stays: &'static [&'static str],
) -> Group {
    Group {
        key,
        schema,
        read,
        stays,
    }
}

#[rustfmt::skip]
const GROUPS: &[Group] = &[
    group("n", r#"{"type": "number"}"#,
        &["75kg", "$4.75", "44%", "120 km/h", "34 Jahre", "Answer: 5", "6.979.309,46 €", "12,34,567", "1_000_000", "٤٢", "1.2M", "2 million",
            "twelve", "twenty-one", "one hundred and five", "fünfundzwanzig", "二十五", "5万", "minus 5", "a total of 5", "5 (five)", "about 5", "5 (estimated)", "12,5", "15 000", "–5", "73【4†source】", "10^6", "2×10^3", "73 [1]",
            "**5**", "`5`", "<b>5</b>", r"\boxed{5}", "= 5", r#"73,2 => {"n": 73,2}"#, r#"{"value": x} => {"n": {"value": 5}}"#,
            r#"{"value": x, "source": …, "confidence": …} => {"n": {"value": 5, "source": "p. 3", "confidence": 0.9}}"#,
            r#"{"type": …, "value": x} => {"n": {"type": "number", "value": 5}}"#, r##"{"#text": x} => {"n": {"#text": 5}}"##],
        &["1.2.3", "5 apples", "3 of 5", "10-20", "7A", "54B", "4/5", "½", "5–7", "7/10", "3rd", "1. 85", "73 [a]", "~~5~~ 6", "5 (or 6)"]),
    group("weight", r#"{"type": "number", "x-unit": "kg"}"#, &["75kg"], &[]),
    group("share", r#"{"type": "number", "maximum": 1}"#, &[], &["44%"]),
    group("score", r#"{"type": "number", "maximum": 10}"#, &["7/10", "7 out of 10", "Score: 5"], &[]),
    group("stars", r#"{"type": "number", "maximum": 5}"#, &["★★★★☆"], &[]),
    group("rank", r#"{"type": "number"}"#, &["3rd", "#3", "No. 3"], &[]),
    group("points", r#"{"type": "number"}"#, &["7 points"], &[]),
    group("steps", r#"{"type": "number"}"#, &["500 steps"], &[]),
    group("chapter", r#"{"type": "number"}"#, &["IV"], &[]),
    group("d", r#"{"type": "string", "format": "date"}"#,
        &["March 5th, 2026", "13/03/2026", "20260305", "5. März 2026", "2026年3月5日", "2026-03-05 (Thursday)",
            "05.03.2026"], &["03/05/2026", "May", "03.05.26"]),
    group("d", r#"{"type": "string", "format": "time"}"#, &["3:30 PM", "15.30 Uhr", "15 Uhr", "10:30Z"], &[]),
    group("d", r#"{"type": "string", "format": "date-time"}"#, &["2026-03-05 10:30", "2026-03-05"], &[]),
    group("d", r#"{"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$"}"#, &[], &["five apples"]),
    group("u", r#"{"type": "string", "format": "uri"}"#,
        &["<https://a.org>", "[a.org](https://a.org)",
            r#"<a href="https://a.org">…</a> => {"u": "<a href=\"https://a.org\">https://a.org</a>"}"#], &["see <https://a.org>"]),
    group("u", r#"{"type": "string", "format": "uuid"}"#,
        &[r#"{6f1c2d3e-…} => {"u": "{6f1c2d3e-1b2a-4c3d-8e4f-5a6b7c8d9e0f}"}"#], &[]),
    group("n", r#"{"type": ["number", "null"]}"#,
        &["N/A", "unknown", "keine Angabe", "不明", "-", r#""" => {"n": ""}"#, "NaN", "?", "TBD", "none given", "not mentioned in the text"], &[]),
    group("b", r#"{"type": "boolean"}"#, &["Yes, definitely.", "the answer is yes", "да", "はい", "✅"], &["yes and no", "not true", "Yes, but only on Mondays"]),
    group("is_active", r#"{"type": "boolean"}"#, &["not active", "inactive"], &[]),
    group("p", r#"{"title": "Level", "enum": [3, 1], "x-enum-varnames": ["HIGH", "LOW"]}"#, &["HIGH", "Level.HIGH"], &["Other.HIGH"]),
    group("level", r#"{"enum": ["high", "low", "urgent"]}"#,
        &["P1 - High", "**high**", "high priority", "high (urgent)", "Level: high", "it is high", "High: a customer is blocked"], &["high (not low)", "high, not low", "not high", "non-urgent", "low to high"]),
    group("p", r#"{"type": "array", "items": {"enum": ["a", "b", "c"]}}"#, &["a, b and c", "a/b"], &[]),
    group("p", r#"{"type": "array", "items": {"type": "string"}}"#,
        &[r#"- a => {"p": "- a\n- b"}"#, r#"- b => {"p": "- a\n- b"}"#, r#"1. a => {"p": "1. a\n2. b"}"#, r#"2. b => {"p": "1. a\n2. b"}"#,
            "a; b; c", "a|b|c", r#"{"1": …, "2": …} => {"p": {"1": "x", "2": "y"}}"#,
            r#"{"item_1": …} => {"p": {"item_1": "x", "item_2": "y"}}"#, r#""[a, b]" => {"p": "[a, b]"}"#],
        &[r#"{"1": …, "3": …} => {"p": {"1": "x", "3": "y"}}"#]),
    group("m", r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        &[r#"[{"key": …, "value": …}] => {"m": [{"key": "a", "value": 1}]}"#, r#"[["a", 1]] => {"m": [["a", 1]]}"#,
            r#"[{"a": 1}, {"b": 2}] => {"m": [{"a": 1}, {"b": 2}]}"#], &[]),
    group("", r#"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}, "required": ["a"]}"#,
        &[r#"a.b => {"a.b": 1}"#, r#"/a/b => {"/a/b": 1}"#, r#"$.a.b => {"$.a.b": 1}"#, r#"root.a.b => {"root.a.b": 1}"#,
            r#"a_b => {"a_b": 1}"#, r#"aB => {"aB": 1}"#], &[]),
    group("t", r#"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}}"#,
        &[r#"{"a": [1, 2]} => {"t": {"a": [1, 2]}}"#, r#"{"columns": […], "rows": […]} => {"t": {"columns": ["a", "b"], "rows": [[1, 2]]}}"#,
            r#"[["a", "b"], [1, 2]] => {"t": [["a", "b"], [1, 2]]}"#], &[]),
    group("t", r#"{"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "b": {"type": "integer"}}, "required": ["name", "b"]}}"#,
        &[r#"{"x": {"b": 1}, …} => {"t": {"x": {"b": 1}, "y": {"b": 2}}}"#], &[]),
    group("", r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}}, "required": ["a"]}"#,
        &[r#"a[0].b => {"a[0].b": 1}"#], &[]),
    group("", r#"{"oneOf": [
        {"type": "object", "properties": {"type": {"const": "Circle"}, "r": {"type": "number"}}, "required": ["type", "r"], "additionalProperties": false},
        {"type": "object", "properties": {"type": {"const": "Square"}, "a": {"type": "number"}}, "required": ["type", "a"], "additionalProperties": false}]}"#,
        &[r#"{"Circle": {…}} => {"Circle": {"r": 1}}"#, r#"{"type": "Circle", "data": {…}} => {"type": "Circle", "data": {"r": 1}}"#,
            r#"["Circle", {…}] => ["Circle", {"r": 1}]"#], &[]),
    group("", r#"{"oneOf": [
        {"type": "object", "properties": {"Circle": {"type": "object", "properties": {"r": {"type": "number"}}, "required": ["r"]}}, "required": ["Circle"], "additionalProperties": false},
        {"type": "object", "properties": {"Square": {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}}, "required": ["Square"], "additionalProperties": false}]}"#,
        &[r#"{"type": "Circle", …} => {"type": "Circle", "r": 1}"#], &[]),
    group("", r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}"#,
        &[r#"{"reasoning": …, …} => {"reasoning": "so", "a": 1}"#, r#"{"thinking": …, …} => {"thinking": "so", "a": 1}"#,
            r#"{"_comment": …, …} => {"_comment": "so", "a": 1}"#, r#"{"@type": …, …} => {"@type": "T", "a": 1}"#], &[]),
];

/// Names of keys and keywords in the cells of examples.
const NAMES: &[&str] = &[
    "T",
    "score",
    "points",
    "steps",
    "x",
    "x-enum-varnames",
    "is_active",
    "Level",
    "title",
    "const",
];

impl Group {
    /// Returns an example as the book has it, and the input.
    fn example(&self, example: &str) -> (String, String) {
        match example.split_once(" => ") {
            Some((example, input)) => (example.to_owned(), input.to_owned()),
            None => {
                let value = serde_json::to_string(example).expect("a string");
                (example.to_owned(), format!("{{\"{}\": {value}}}", self.key))
            }
        }
    }

    /// Returns the class of the value that is read of an input; a violation without one that conforms.
    fn outcome(&self, input: &str) -> &'static str {
        let (key, schema) = (self.key, self.schema);
        let wrapped = format!(
            r#"{{"type": "object", "properties": {{"{key}": {schema}}}, "required": ["{key}"]}}"#
        );
        let schema = if key.is_empty() { schema } else { &wrapped };
        let schema = Schema::from_text(schema).expect("a schema");
        let parsed = llmjson::parse(input, Some(&schema));
        match parsed.conforms() {
            true => parsed.certainty().name(),
            false => "violation",
        }
    }
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/src")
        .join(name);
    fs::read_to_string(path).expect("a page")
}

/// Returns the cells of the rows of the table that begins with these headers.
fn rows(page: &str, headers: &str) -> Vec<Vec<String>> {
    let table = page.lines().skip_while(|line| !line.starts_with(headers));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    let rows: Vec<_> = rows
        .map(|line| {
            let line = line.trim_matches('|').replace("\\|", "\u{1}");
            let cells = line
                .split('|')
                .map(|cell| cell.trim().replace('\u{1}', "|"));
            cells.collect()
        })
        .collect();
    assert!(!rows.is_empty(), "no table {headers}");
    rows
}

/// Returns the code spans of a cell: `` `x` ``, and ``` `` `x` `` ```.
fn spans(cell: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = cell;
    while let Some(start) = rest.find('`') {
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let (fence, inside) = rest[start..].split_at(ticks);
        let (span, after) = inside.split_once(fence).expect("a span is closed");
        found.push(if ticks > 1 { span.trim() } else { span }.to_owned());
        rest = after;
    }
    found
}

#[test]
fn forms_are_read_as_their_table_says() {
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    for cells in rows(&page("forms.md"), "| wanted | read |") {
        let class = &cells[2];
        let classes = ["certain", "likely", "guess"]
            .into_iter()
            .filter(|name| class.contains(name));
        let mut classes: Vec<_> = classes.collect();
        if classes.is_empty() {
            classes.extend(["certain", "likely", "guess"]);
        }
        for (column, wanted) in [(1, classes), (3, vec!["violation"])] {
            for span in spans(&cells[column]) {
                let mut is_run = NAMES.contains(&&*span);
                for group in GROUPS {
                    let examples = if column == 1 { group.read } else { group.stays };
                    for (example, input) in examples.iter().map(|one| group.example(one)) {
                        if example == span {
                            is_run = true;
                            seen.insert((column, example));
                            let outcome = group.outcome(&input);
                            if !wanted.contains(&outcome) {
                                wrong.push(format!(
                                    "{input}: {outcome}, but the page says {wanted:?}"
                                ));
                            }
                        }
                    }
                }
                if !is_run {
                    wrong.push(format!("`{span}` has no schema in GROUPS, column {column}"));
                }
            }
        }
    }
    for group in GROUPS {
        for (column, examples) in [(1, group.read), (3, group.stays)] {
            let examples = examples.iter().map(|one| (column, group.example(one).0));
            wrong.extend(
                examples
                    .filter(|one| !seen.contains(one))
                    .map(|one| format!("{one:?} is not on the page")),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the JSON of a value that a cell shows, perhaps as Python writes it.
fn json(cell: &str) -> String {
    let parsed = llmjson::parse(cell, None);
    parsed
        .to_json()
        .unwrap_or_else(|| panic!("no value: {cell}"))
}

#[test]
fn tables_of_inputs_show_what_is_parsed() {
    let mut wrong = Vec::new();
    let mut check = |input: &str, schema: Option<&Schema>, wanted: &str| {
        let parsed = llmjson::parse(input, schema);
        let found = parsed.to_json().unwrap_or_else(|| "none".to_owned());
        let kinds: Vec<_> = parsed
            .coercions()
            .iter()
            .map(|one| one.kind.name())
            .collect();
        if found != wanted {
            wrong.push(format!(
                "{input}: {found} {kinds:?}, but the page says {wanted}"
            ));
        }
        kinds
    };
    for cells in rows(&page("moving/json_repair.md"), "| rule | example |") {
        let (input, output) = (spans(&cells[1]).remove(0), spans(&cells[3]).remove(0));
        check(&input, None, &json(&output));
    }
    for cells in rows(&page("moving/jsonrepair.md"), "| rule | input |") {
        let (input, output) = (spans(&cells[1]).remove(0), spans(&cells[3]).remove(0));
        // Text without JSON is a string for jsonrepair, and no value here.
        if input != "-" {
            check(&input, None, &json(&output));
        }
    }
    let schemas = [
        ("number, integer", r#"{"type": "number"}"#),
        ("integer", r#"{"type": "integer"}"#),
        ("boolean", r#"{"type": "boolean"}"#),
        ("string", r#"{"type": "string"}"#),
        (
            "array of strings",
            r#"{"type": "array", "items": {"type": "string"}}"#,
        ),
        ("object, array", r#"{"type": "object"}"#),
        ("an allowed value", r#"{"enum": ["red", "green"]}"#),
    ];
    let mut count = 0;
    for cells in rows(&page("schemas.md"), "| the schema asks for |") {
        let Some((_, schema)) = schemas.iter().find(|(name, _)| *name == cells[0]) else {
            continue;
        };
        let schema = Schema::from_text(schema).expect("a schema");
        let (input, output, kind) = (
            spans(&cells[1]).remove(0),
            spans(&cells[2]).remove(0),
            spans(&cells[3]).remove(0),
        );
        let kinds = check(&input, Some(&schema), &json(&output));
        assert_eq!(kinds, [&*kind], "{input}");
        count += 1;
    }
    assert_eq!(count, schemas.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
