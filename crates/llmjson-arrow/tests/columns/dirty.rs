//! Many replies, valid and damaged, against reading them one by one.

use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray, StructArray};
use llmjson::{Parsed, Policy, Schema, stringify};
use llmjson_arrow::{Options, Output, parse};

use crate::show;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "name": {"type": "string", "minLength": 2},
    "count": {"type": "integer", "minimum": 0},
    "ratio": {"type": ["number", "null"]},
    "tags": {"type": "array", "items": {"enum": ["red", "green"]}},
    "place": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}},
    "any": {}
}, "required": ["name", "count"]}"#;

/// Numbers that look random, always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A reply with a value of about the schema, and perhaps damage.
fn reply(numbers: &mut Numbers) -> Option<String> {
    if numbers.below(20) == 0 {
        return None;
    }
    let members = [
        numbers.one(&[
            r#""name": "Ada""#,
            r#""name": "L\u00e9a \"q\"""#,
            "name: 'x'",
            r#""Name": 12"#,
        ]),
        numbers.one(&[
            r#""count": 3"#,
            r#""count": 40"#,
            r#""count": 1234"#,
            r#""count": "7""#,
            r#""count": -1"#,
            r#""count": 99999999999999999999"#,
            "",
        ]),
        numbers.one(&[
            r#""ratio": 0.25"#,
            r#""ratio": 12"#,
            r#""ratio": -1e-7"#,
            r#""ratio": null"#,
            r#""ratio": "1e3""#,
            r#""ratio": "much""#,
        ]),
        numbers.one(&[
            r#""tags": ["red", "green"]"#,
            r#""tags": ["red"]"#,
            r#""tags": ["green", "green"]"#,
            r#""tags": "RED""#,
            r#""tags": []"#,
            r#""tags": ["blue"]"#,
        ]),
        numbers.one(&[
            r#""place": {"x": 1, "y": 2.5}"#,
            r#""place": {"y": 1e2}"#,
            r#""place": {"x": "1"}"#,
            r#""place": null"#,
        ]),
        numbers.one(&[
            r#""any": [1, {"a": "b"}]"#,
            r#""any": "text""#,
            r#""other": true"#,
        ]),
    ];
    let from = numbers.below(8).saturating_sub(5);
    let members: Vec<_> = members[from..]
        .iter()
        .filter(|one| !one.is_empty())
        .copied()
        .collect();
    let value = format!("{{{}}}", members.join(", "));
    let cut = value.len() - numbers.below(value.len() / 2);
    Some(match numbers.below(8) {
        0 => format!("Here it is:\n```json\n{value}\n```\nAnything else?"),
        1 => value.replace('"', "'"),
        2 if value.is_char_boundary(cut) => value[..cut].to_owned(),
        3 => value.replace(", ", " "),
        4 => format!("{{\"arguments\": {value}}}"),
        5 => "I would rather not.".to_owned(),
        _ => value,
    })
}

fn replies(count: usize) -> StringArray {
    let mut numbers = Numbers(7);
    (0..count).map(|_| reply(&mut numbers)).collect()
}

fn policies() -> [Policy; 3] {
    [Policy::lenient(), Policy::tool(), Policy::conservative()]
}

#[test]
fn each_row_is_what_a_single_call_gives() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let replies = replies(3_000);
    for policy in policies() {
        for output in [Output::Struct, Output::Json] {
            let options = Options::default()
                .with_policy(policy.clone())
                .with_output(output);
            let rows = parse(&replies, Some(&schema), &options).expect("rows");
            assert_rows_agree(&rows, &replies, &schema, &policy, output);
        }
    }
}

fn assert_rows_agree(
    rows: &StructArray,
    replies: &StringArray,
    schema: &Schema,
    policy: &Policy,
    output: Output,
) {
    let columns = [
        "ok",
        "complete",
        "certainty",
        "repairs",
        "coercions",
        "feedback",
    ];
    let columns = columns.map(|name| show::column(rows, name));
    let value = rows.column(0);
    let mut seen = [0; 2];
    for row in 0..replies.len() {
        let Some(reply) = replies.is_valid(row).then(|| replies.value(row)) else {
            continue;
        };
        let parsed = policy.parse(reply, Some(schema));
        let wide = reply.contains("99999999999999999999") && output == Output::Struct;
        seen[usize::from(parsed.conforms())] += 1;
        let found = columns.each_ref().map(|column| &*column[row]);
        if !(wide && parsed.conforms()) {
            assert_eq!(found.map(str::to_owned), told(&parsed), "{reply}");
        } else {
            assert_eq!(found[0], "false", "{reply}");
        }
        let json = parsed
            .to_json()
            .filter(|_| output == Output::Json || found[0] == "true");
        match (output, json) {
            (_, None) => assert!(value.is_null(row), "{reply}"),
            (Output::Json, Some(json)) => assert_eq!(value.as_string::<i32>().value(row), json),
            (_, Some(_)) => assert_eq!(show::json(value, row), as_columns(&parsed), "{reply}"),
        }
    }
    assert!(seen.iter().all(|count| *count > 200), "{seen:?}");
}

/// What the columns about a reply should hold.
fn told(parsed: &Parsed<'_>) -> [String; 6] {
    let quoted = |text: &str| {
        let mut out = String::new();
        llmjson::syntax::write_string(text, &mut out);
        out
    };
    let repairs = parsed.repairs().iter().map(|repair| {
        let (kind, class) = (repair.kind, repair.class);
        let (start, end) = (repair.span.start, repair.span.end);
        format!(r#"{{"kind":"{kind}","certainty":"{class}","start":{start},"end":{end}}}"#)
    });
    let coercions = parsed.coercions().iter().map(|coercion| {
        let (kind, class) = (coercion.kind, coercion.class);
        let path = quoted(&coercion.path.to_string());
        format!(r#"{{"kind":"{kind}","certainty":"{class}","path":{path}}}"#)
    });
    let certainty = parsed.value().map(|_| quoted(parsed.certainty().name()));
    let feedback = (!parsed.conforms()).then(|| parsed.clone().into_failure());
    let feedback = feedback.map(|failure| quoted(&stringify(&failure)));
    let null = || "null".to_owned();
    [
        parsed.conforms().to_string(),
        parsed.is_complete().to_string(),
        certainty.unwrap_or_else(null),
        format!("[{}]", repairs.collect::<Vec<_>>().join(",")),
        format!("[{}]", coercions.collect::<Vec<_>>().join(",")),
        feedback.unwrap_or_else(null),
    ]
}

/// The value as its columns should hold it, from the value itself.
fn as_columns(parsed: &Parsed<'_>) -> String {
    let root = parsed.value().expect("a value");
    let double =
        |value: llmjson::syntax::ValueRef<'_>| format!("{:?}", value.as_f64().expect("a number"));
    let json = |name: &str| {
        root.get(name)
            .map_or_else(|| "null".to_owned(), |one| one.to_json())
    };
    let number = |name: &str| match root.get(name).filter(|one| !one.is_null()) {
        Some(value) => double(value),
        None => "null".to_owned(),
    };
    let place = match root.get("place").filter(|one| !one.is_null()) {
        Some(place) => {
            let part = |name| place.get(name).map_or_else(|| "null".to_owned(), double);
            format!(r#"{{"x":{},"y":{}}}"#, part("x"), part("y"))
        }
        None => "null".to_owned(),
    };
    let mut any = "null".to_owned();
    if let Some(value) = root.get("any") {
        any.clear();
        llmjson::syntax::write_string(&value.to_json(), &mut any);
    }
    format!(
        r#"{{"name":{},"count":{},"ratio":{},"tags":{},"place":{place},"any":{any}}}"#,
        json("name"),
        json("count"),
        number("ratio"),
        json("tags"),
    )
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let replies = replies(5_000);
    for output in [Output::Struct, Output::Json] {
        let rows = |threads: usize| {
            let threads = threads.try_into().expect("not zero");
            let options = Options::default().with_output(output).with_threads(threads);
            parse(&replies, Some(&schema), &options).expect("rows")
        };
        let one = rows(1);
        assert_eq!(one.len(), 5_000);
        for threads in [2, 4, 7] {
            assert_eq!(rows(threads), one);
        }
    }
}
