//! Feedback texts, byte for byte, and the laws about them.

use llmjson_schema::{AnnotateOptions, Annotation, AnnotationPath, Schema, annotate, laws};
use llmjson_testutil::table::{Lines, lines, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("annotate.txt");

/// Annotations from places and what is expected there, one a line.
fn annotations(lines: &str) -> Vec<Annotation> {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let (path, expected) = line.split_once(' ').expect("a place and what is expected");
            Annotation::new(AnnotationPath::parse(path), expected)
        })
        .collect()
}

#[test]
fn blocks_are_laid_out() {
    for [value, lines, wanted] in rows_of(FILE, "blocks") {
        let document = llmjson_syntax::parse(value);
        let text = annotate(
            document.root(),
            &annotations(lines),
            &AnnotateOptions::new(),
        );
        assert_eq!(text, format!("```json\n{wanted}\n```"));
        laws::first_block_reads_back(document.root(), &annotations(lines));
    }
}

/// Values of every kind, texts that hold what ends or begins comments among them.
static ROOTS: Lines = Lines::new(|| lines(FILE, "roots"));

#[test]
fn every_kind_of_value_is_read_back() {
    let expected = [
        "string",
        "{\"a\":1}",
        "[1, 2]",
        "\"x\" | \"y\"",
        "A // {\"b\": 2}",
        "*/ {\"c\": 3}",
        "--> []",
        "```\n{\"d\": 4}\n```",
    ];
    for root in ROOTS.iter() {
        let document = llmjson_syntax::parse(root);
        for one in &expected {
            for other in &expected {
                let annotation = |path: &str, expected: &str| {
                    Annotation::new(AnnotationPath::parse(path), expected)
                };
                let first = annotation("$input", one);
                let (second, third) = (annotation("$input", other), annotation("$input.z", other));
                for all in [
                    &[first.clone()][..],
                    &[first.clone(), second],
                    &[first, third],
                ] {
                    laws::first_block_reads_back(document.root(), all);
                }
            }
        }
    }
}

#[test]
fn annotations_without_a_place_follow_in_their_order() {
    let document = llmjson_syntax::parse(r#"{"a": 1, "list": [1]}"#);
    let mut annotations = annotations(
        "elsewhere number\n$input.b.c string\n$input.list[1] string\n$input.a string\n$input.a[] string",
    );
    annotations[0] = annotations[0]
        .clone()
        .with_value(r#"{"x": [1, "y"]}"#)
        .with_description("odd");
    let text = annotate(document.root(), &annotations, &AnnotateOptions::new());
    assert_eq!(
        text,
        r#"```json
{
  "a": 1, // ❌ [{"path":"$input.a","expected":"string"}]
  "list": [
    1
  ]
}
```

**Unmappable validation errors:**
```json
[
  {
    "path": "elsewhere",
    "expected": "number",
    "value": {
      "x": [
        1,
        "y"
      ]
    },
    "description": "odd"
  },
  {
    "path": "$input.b.c",
    "expected": "string"
  },
  {
    "path": "$input.list[1]",
    "expected": "string"
  },
  {
    "path": "$input.a[]",
    "expected": "string"
  }
]
```"#
    );
    laws::every_annotation_is_shown_once(document.root(), &annotations);
}

#[test]
fn descriptions_stand_third_and_keep_to_their_line() {
    let document = llmjson_syntax::parse("{}");
    let annotation = Annotation::new(AnnotationPath::parse("$input.a"), "\"x\" | \"y\"");
    let annotation = annotation.with_description("one // ❌ of\n\"two\"");
    let text = annotate(document.root(), &[annotation], &AnnotateOptions::new());
    let wanted = r#"  "a": undefined // ❌ [{"path":"$input.a","expected":"\"x\" | \"y\"","description":"one // ❌ of\n\"two\""}]"#;
    assert_eq!(text.lines().nth(2), Some(wanted));
}

#[test]
fn fences_are_longer_than_any_in_the_block() {
    let document = llmjson_syntax::parse(r#"{"code": "```rust\n````"}"#);
    let annotations = annotations("$input.code string\nthe```fence string");
    let text = annotate(document.root(), &annotations, &AnnotateOptions::new());
    assert!(text.starts_with("`````json\n{"), "{text}");
    assert!(text.contains("}\n`````\n\n**Unmappable"), "{text}");
    assert!(text.ends_with("````json\n[\n  {\n    \"path\": \"the```fence\",\n    \"expected\": \"string\"\n  }\n]\n````"));
    laws::first_block_reads_back(document.root(), &annotations);
}

#[test]
fn a_size_limit_folds_what_is_valid() {
    let many = (0..500)
        .map(|id| format!("{{\"id\":{id},\"tags\":[\"x\",\"y\"]}}"))
        .collect::<Vec<_>>();
    let value = format!(
        r#"{{"items":[{}],"note":"{}","n":1}}"#,
        many.join(","),
        "long ".repeat(50)
    );
    let document = llmjson_syntax::parse(&value);
    let annotations =
        annotations("$input.items[2].id string\n$input.items[2].name string\n$input.n string");
    let options = AnnotateOptions::new().with_max_bytes(700);
    assert_eq!(
        annotate(document.root(), &annotations, &options),
        r#"```json
{
  "items": [
    …, // 2 valid
    {
      "id": 2, // ❌ [{"path":"$input.items[2].id","expected":"string"}]
      "tags": […],
      "name": undefined // ❌ [{"path":"$input.items[2].name","expected":"string"}]
    },
    … // 497 valid
  ],
  "note": "long long long long long long long long long long long long long…",
  "n": 1 // ❌ [{"path":"$input.n","expected":"string"}]
}
```

`…` stands for what is left out here."#
    );
    let all = annotate(document.root(), &annotations, &AnnotateOptions::new());
    let roomy = AnnotateOptions::new().with_max_bytes(all.len());
    assert_eq!(annotate(document.root(), &annotations, &roomy), all);
}

#[test]
fn what_a_size_limit_cuts_is_counted() {
    let value = format!("[{}]", vec!["1"; 150].join(","));
    let flat = llmjson_syntax::parse(&value);
    let in_items: String = (0..150)
        .map(|at| format!("$input[{at}] string\n"))
        .collect();
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let deep = llmjson_syntax::parse(&deep);
    let deepest: String = (0..=200)
        .map(|depth| format!("$input{} string\n", "[0]".repeat(depth)))
        .collect();
    let odd: String = (0..40).map(|at| format!("nowhere{at} string\n")).collect();
    for (document, lines) in [(&flat, &in_items), (&deep, &deepest), (&flat, &odd)] {
        let annotations = annotations(lines);
        for max_bytes in [0, 256, 300, 1_000, 4_000, 100_000] {
            laws::size_limit_holds(document.root(), &annotations, max_bytes);
            laws::size_limit_holds(None, &annotations, max_bytes);
        }
        laws::every_annotation_is_shown_once(document.root(), &annotations);
        laws::first_block_reads_back(document.root(), &annotations);
    }
    let options = AnnotateOptions::new().with_max_bytes(300);
    let text = annotate(flat.root(), &annotations(&in_items), &options);
    assert!(
        text.contains("\"path\":\"$input[0]\"")
            && text.ends_with(" more validation errors not shown.**"),
        "{text}"
    );
}

#[test]
fn the_limit_counts_every_byte() {
    let document = llmjson_syntax::parse(r#"{"a": "``", "b": ["x", {}], "c": 1}"#);
    let lines: String = (0..40)
        .map(|at| format!("$input.b[{at}] string\n"))
        .collect();
    for lines in [
        lines.as_str(),
        "$input.a one\n$input.b[1].q two\nodd three",
        "",
    ] {
        let annotations = annotations(lines);
        let options = AnnotateOptions::new();
        let all = annotate(
            document.root(),
            &annotations,
            &options.with_max_bytes(usize::MAX),
        );
        for (max_bytes, fits) in [
            (all.len() - 1, false),
            (all.len(), true),
            (all.len() + 1, true),
        ] {
            let text = annotate(
                document.root(),
                &annotations,
                &options.with_max_bytes(max_bytes),
            );
            assert_eq!(text == all, fits || max_bytes < 256, "{max_bytes}: {text}");
        }
    }
}

#[test]
fn everything_is_linear() {
    let value = format!("[{}]", vec!["{\"id\":1}"; 20_000].join(","));
    let document = llmjson_syntax::parse(&value);
    let lines: String = (0..20_000)
        .map(|at| format!("$input[{at}].id string\n$input[{at}].name string\n"))
        .collect();
    let annotations = annotations(&lines);
    let options = AnnotateOptions::new();
    let text = annotate(
        document.root(),
        &annotations,
        &options.with_max_bytes(usize::MAX),
    );
    assert_eq!(text.matches("❌").count(), 40_000);
    let text = annotate(document.root(), &annotations, &options);
    assert!(text.len() <= 1_000_000 && text.ends_with(" more validation errors not shown.**"));
    laws::size_limit_holds(document.root(), &annotations, 10_000);
}

#[test]
fn paths_are_read_back() {
    for [text, kind] in rows_of(FILE, "paths are read back") {
        let path = AnnotationPath::parse(text);
        assert_eq!(path.to_string(), text);
        assert!(format!("{path:?}").starts_with(kind), "{path:?}");
    }
}

#[test]
fn missing_members_stand_where_the_schema_has_them() {
    let schema = r##"{
        "type": "object",
        "properties": {
            "kind": {"const": "stay"},
            "room": {"anyOf": [
                {"type": "null"},
                {"type": "object", "properties": {"size": {}, "floor": {}}},
                {"$ref": "#/$defs/suite"}
            ]},
            "nights": {"type": "integer"},
            "guests": {"type": "array", "items": {"$ref": "#/$defs/guest"}},
            "notes": {"type": "object", "additionalProperties": {"$ref": "#/$defs/guest"}}
        },
        "$defs": {
            "suite": {"type": "object", "properties": {"rooms": {}, "view": {}, "floor": {}}},
            "guest": {"type": "object", "properties": {"name": {}, "age": {}, "vip": {}}}
        }
    }"##;
    let schema = Schema::from_text(schema).expect("a schema");
    let value = r#"{"room":{"floor":2},"guests":[{"age":3}],"notes":{"x":{"vip":true}}}"#;
    let document = llmjson_syntax::parse(value);
    let annotations = annotations(
        "$input.nights integer\n$input.kind \"stay\"\n$input.room.view x\n$input.room.rooms x
        $input.guests[0].vip x\n$input.guests[0].other x\n$input.guests[0].name x
        $input.notes.x.name x",
    );
    let options = AnnotateOptions::new().with_schema(&schema);
    let text = annotate(document.root(), &annotations, &options);
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
        .collect();
    let wanted = "kind room rooms view floor nights guests name age vip other notes x name vip";
    assert_eq!(names.join(" "), wanted, "{text}");
}
