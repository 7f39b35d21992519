//! Feedback texts, byte for byte, and the laws about them.

use llmjson_schema::{AnnotateOptions, Annotation, AnnotationPath, Schema, annotate, laws};

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

/// A value, annotations about it, and the inside of the one block that shows them.
const BLOCKS: &[(&str, &str, &str)] = &[
    (
        "{\"a\":[1,{}],\"b\":[]}",
        "",
        "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}",
    ),
    (
        "7",
        "$input string",
        r#"7 // ❌ [{"path":"$input","expected":"string"}]"#,
    ),
    (
        "",
        "$input Order",
        r#"undefined // ❌ [{"path":"$input","expected":"Order"}]"#,
    ),
    (
        "[]",
        "$input Order",
        r#"[] // ❌ [{"path":"$input","expected":"Order"}]"#,
    ),
    (
        "{}",
        "$input string",
        r#"{} // ❌ [{"path":"$input","expected":"string"}]"#,
    ),
    (
        "-1.50e3",
        "$input integer\n$input string",
        r#"-1.50e3 // ❌ [{"path":"$input","expected":"integer"},{"path":"$input","expected":"string"}]"#,
    ),
    (
        r#""see // {\"a\": 1}""#,
        "$input {\"a\":1}",
        r#""see // {\"a\": 1}" // ❌ [{"path":"$input","expected":"{\"a\":1}"}]"#,
    ),
    (
        "true",
        "$input {}",
        r#"true // ❌ [{"path":"$input","expected":"{}"}]"#,
    ),
    (
        "null",
        "$input []",
        r#"null // ❌ [{"path":"$input","expected":"[]"}]"#,
    ),
    (
        r#"{"room":{"beds":"two","view":true}}"#,
        "$input.room Suite\n$input.room.beds integer",
        r#"{
  "room": { // ❌ [{"path":"$input.room","expected":"Suite"}]
    "beds": "two", // ❌ [{"path":"$input.room.beds","expected":"integer"}]
    "view": true
  }
}"#,
    ),
    (
        r#"[["a"],1,2,3]"#,
        "$input[1] p\n$input[3] q\n$input[1] r\n$input[0][0] s\n$input[2] t\n$input[0][0] u",
        r#"[
  [
    "a" // ❌ [{"path":"$input[0][0]","expected":"s"},{"path":"$input[0][0]","expected":"u"}]
  ],
  1, // ❌ [{"path":"$input[1]","expected":"p"},{"path":"$input[1]","expected":"r"}]
  2, // ❌ [{"path":"$input[2]","expected":"t"}]
  3 // ❌ [{"path":"$input[3]","expected":"q"}]
]"#,
    ),
    (
        r#"{"guests":[null,"Ada",[]],"nights":1.50}"#,
        "$input.guests[2] string\n$input.guests[0] string\n$input.nights integer\n$input.nights number & Maximum<1>",
        r#"{
  "guests": [
    null, // ❌ [{"path":"$input.guests[0]","expected":"string"}]
    "Ada",
    [] // ❌ [{"path":"$input.guests[2]","expected":"string"}]
  ],
  "nights": 1.50 // ❌ [{"path":"$input.nights","expected":"integer"},{"path":"$input.nights","expected":"number & Maximum<1>"}]
}"#,
    ),
    (
        r#"{"a":{}}"#,
        "$input.z number\n$input.a.x string\n$input[\"in\"] string",
        r#"{
  "a": {
    "x": undefined // ❌ [{"path":"$input.a.x","expected":"string"}]
  },
  "z": undefined, // ❌ [{"path":"$input.z","expected":"number"}]
  "in": undefined // ❌ [{"path":"$input[\"in\"]","expected":"string"}]
}"#,
    ),
    (
        r#"{"tags":["x"],"none":[]}"#,
        "$input.tags[] string\n$input.tags[] number\n$input.none[] string",
        r#"{
  "tags": [
    "x",
    undefined, // ❌ [{"path":"$input.tags[]","expected":"string"}]
    undefined // ❌ [{"path":"$input.tags[]","expected":"number"}]
  ],
  "none": [
    undefined // ❌ [{"path":"$input.none[]","expected":"string"}]
  ]
}"#,
    ),
    (
        r#"["$& $1 $$5", "x // ❌ [y]", "__PLACEHOLDER_0__"]"#,
        "$input[1] number",
        r#"[
  "$& $1 $$5",
  "x // ❌ [y]", // ❌ [{"path":"$input[1]","expected":"number"}]
  "__PLACEHOLDER_0__"
]"#,
    ),
    (
        r#"{"a": 1, "toString": 2, "a": "3"}"#,
        "$input.a number\n$input.constructor string",
        r#"{
  "a": "3", // ❌ [{"path":"$input.a","expected":"number"}]
  "toString": 2,
  "constructor": undefined // ❌ [{"path":"$input.constructor","expected":"string"}]
}"#,
    ),
];

#[test]
fn blocks_are_laid_out() {
    for (value, lines, wanted) in BLOCKS {
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
const ROOTS: &[&str] = &[
    "0",
    "-1",
    "1.50e300",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[[]]",
    "[1]",
    r#"{"a": {}}"#,
    r#""""#,
    r#""a""#,
    r#""// b""#,
    r#""/* c */""#,
    r#""<!-- d -->""#,
    r#""https://e/{\"f\": 1}""#,
    r#""say \"g\" // h""#,
    r#""```json\n[1]\n```""#,
    "",
];

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
    for root in ROOTS {
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
    let cases = [
        ("$input", "Place"),
        ("$input.a[0]", "Place"),
        ("$input[\"x-y\"]", "Place"),
        ("$input.a[]", "NextItem"),
        ("$input[]", "NextItem"),
        ("$input.a[].b", "Text"),
        ("$input.é", "Text"),
        ("$other", "Text"),
        ("", "Text"),
    ];
    for (text, kind) in cases {
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
