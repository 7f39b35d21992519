//! Replies and schemas that are made to hurt. Each has to end in a result or in a limit with a
//! name, on a thread with the two megabytes of stack that servers give one.
//!
//! The sizes are such that work which grows with the square of the text would take minutes; no
//! test looks at a clock.

mod shapes;

use llmjson_testutil::table::{Lines, lines, number, rows_of};
use std::collections::HashMap;
use std::thread;

use llmjson::{
    DeserializeExt, Schema, laws, parse,
    stream::{All, Stream},
    syntax::{self, LimitReached, Limits},
    tools::{Registry, calls_in},
};
use serde_json::{Value, json};
use shapes::{Against, SHAPES, Shape};

/// The rows of the tests.
const FILE: &str = include_str!("hostile.txt");

const STACK: usize = 2 << 20;

/// How often a single fragment is repeated.
const REPEATS: usize = 200_000;

/// How often two fragments take turns; there are more than a thousand such pairs.
const TURNS: usize = 6_000;

/// About how many bytes each of the shapes gets.
const SHAPE_SIZE: usize = 32 << 10;

/// About how many bytes of each come in pieces.
const STREAMED_SIZE: usize = 4 << 10;

/// What has a meaning to a lenient reader, and may stand where it has none.
static FRAGMENTS: Lines = Lines::new(|| lines(FILE, "fragments"));

/// How often what calls begin with is repeated.
const CALL_REPEATS: usize = 10_000;

/// What calls begin with, and what stands within them.
static CALLS: Lines = Lines::new(|| lines(FILE, "calls"));

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let builder = thread::Builder::new().stack_size(STACK);
    let handle = builder.spawn(work).expect("a thread starts");
    if let Err(panic) = handle.join() {
        std::panic::resume_unwind(panic);
    }
}

/// A schema that refers to itself, with every member optional.
fn anything_below() -> Schema {
    let schema = json!({
        "$ref": "#/$defs/any",
        "$defs": {"any": {"anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/any"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}},
            {"type": ["string", "number", "boolean", "null"]}
        ]}}
    });
    Schema::compile(&schema).unwrap()
}

fn record() -> Schema {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "next": {"$ref": "#"}
        },
        "required": ["a"]
    });
    Schema::compile(&schema).unwrap()
}

/// Does all that a caller may do with a reply.
fn use_up(text: &str, schema: Option<&Schema>) {
    match schema {
        Some(schema) => laws::work_with_schema_is_bounded(text, schema),
        None => syntax::laws::work_is_bounded(text),
    }
    let parsed = parse(text, schema);
    let value = parsed.value().map(DeserializeExt::to_value);
    let again = parsed.to_json().map(|json| parse(&json, None).to_json());
    assert_eq!(again, parsed.to_json().map(Some), "{:?}", text.get(..40));
    drop(value);
    let _shown = format!("{parsed:?}").len();
    if let Err(failure) = parsed.into_result() {
        let feedback = failure.feedback(Some(10_000));
        assert!(feedback.len() <= 10_000);
        let feedback = failure.feedback(None);
        assert!(feedback.len() <= Limits::DEFAULT.feedback_bytes as usize);
        let _sentence = failure.to_string();
    }
}

#[test]
fn openers_without_end() {
    on_small_stack(|| {
        let schema = anything_below();
        for opener in ["[", "{\"a\":", "[{\"a\":", "{\"a\":[", "[[],"] {
            let text = opener.repeat(2_000_000 / opener.len());
            let document = parse(&text, None).into_document();
            let reached = matches!(
                document.limit(),
                Some(LimitReached::Depth { limit: 512, .. })
            );
            assert!(reached && document.root().is_none(), "{opener}");
            use_up(&text, Some(&schema));
        }
        for opener in ["{", "(", "a(", "([", "{["] {
            use_up(&opener.repeat(2_000_000 / opener.len()), Some(&schema));
        }
    });
}

#[test]
fn a_hundred_thousand_violations() {
    on_small_stack(|| {
        let schema = json!({"type": "array", "items": {"type": "integer", "minimum": 10}});
        let schema = Schema::compile(&schema).unwrap();
        let list = format!("[{}]", ["\"x\",1"; 50_000].join(","));
        let parsed = parse(&list, Some(&schema));
        assert_eq!(parsed.violations().len(), 100_000);
        let failure = parsed.into_result().unwrap_err();
        let whole = failure.feedback(Some(usize::MAX));
        assert_eq!(whole.matches("❌").count(), 100_000);
        let limit = Limits::DEFAULT.feedback_bytes as usize;
        let bounded = failure.feedback(None);
        let shown = bounded.matches("❌").count();
        let rest = format!("**{} more validation errors not shown.**", 100_000 - shown);
        assert!(bounded.len() <= limit && shown > 10_000 && bounded.ends_with(&rest));
        assert!(failure.feedback(Some(5_000)).len() <= 5_000);
    });
}

#[test]
fn one_fragment_again_and_again() {
    on_small_stack(|| {
        for fragment in FRAGMENTS.iter() {
            let text = fragment.repeat(REPEATS);
            for start in ["", "{\"a\": ", "[\"x\", "] {
                use_up(&format!("{start}{text}"), None);
            }
        }
    });
}

#[test]
fn openers_of_calls_without_end() {
    on_small_stack(|| {
        let tools = r#"[{"name": "a", "parameters": {"type": "object", "properties": {"b": {"type": "string"}}}}]"#;
        let registry = Registry::builder().register_list(tools).build().unwrap();
        for opener in CALLS.iter() {
            let text = opener.repeat(CALL_REPEATS) + "<tool_call>{\"name\": \"a\"}</tool_call>";
            laws::spans_of_calls_are_in_order(&text, &calls_in(&text, &registry));
        }
    });
}

#[test]
fn openers_of_calls_in_pieces() {
    on_small_stack(|| {
        let tools = r#"[{"name": "a", "parameters": {"type": "object", "properties": {"b": {"type": "string"}}}}]"#;
        let registry = Registry::builder().register_list(tools).build().unwrap();
        for opener in CALLS.iter() {
            // Of three lengths that follow each other, each comes in pieces of another one.
            for rest in ["", ".", ".."] {
                let text = opener.repeat(STREAMED_SIZE / opener.len()) + rest;
                laws::work_of_calls_is_bounded(&text, &calls_in(&text, &registry), &registry);
            }
        }
    });
}

#[test]
fn two_fragments_in_turns() {
    let pairs: Vec<_> = (FRAGMENTS.iter())
        .flat_map(|one| FRAGMENTS.iter().map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
        .collect();
    let schema = record();
    thread::scope(|scope| {
        for part in pairs.chunks(pairs.len().div_ceil(2)) {
            let schema = &schema;
            let work = move || {
                for (one, other) in part {
                    let text = format!("{one}{other}").repeat(TURNS);
                    use_up(&text, Some(schema));
                }
            };
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("a thread starts");
        }
    });
}

/// The same texts whose growth the benchmarks measure.
#[test]
fn shapes_that_cost_time() {
    let mut schemas: HashMap<Against, Schema> = HashMap::new();
    for Shape { against, .. } in SHAPES.iter() {
        let schema = || {
            Schema::from_text(&against.json())
                .unwrap_or_else(|error| panic!("{}: {error}", against.name()))
        };
        schemas.entry(*against).or_insert_with(schema);
    }
    thread::scope(|scope| {
        for part in SHAPES.chunks(SHAPES.len().div_ceil(2)) {
            let schemas = &schemas;
            let work = move || {
                for shape in part {
                    let text = shape.text(SHAPE_SIZE);
                    assert!(text.len() >= SHAPE_SIZE / 2, "{}", shape.name);
                    use_up(&text, None);
                    let schema = &schemas[&shape.against];
                    use_up(&text, Some(schema));
                    drop(llmjson::parse_all(&text, Some(schema)));
                }
            };
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("a thread starts");
        }
    });
}

/// The same in pieces, with a look at what is shown after each.
#[test]
fn shapes_that_cost_time_in_pieces() {
    let work = |part: &[Shape]| {
        for shape in part {
            let schema = Schema::from_text(&shape.against.json()).unwrap();
            let text = shape.text(STREAMED_SIZE);
            for length in [1, 4, STREAMED_SIZE] {
                stream(&text, &schema, length, shape.name);
            }
        }
    };
    thread::scope(|scope| {
        for part in SHAPES.chunks(SHAPES.len().div_ceil(2)) {
            let builder = thread::Builder::new().stack_size(STACK);
            let spawned = builder.spawn_scoped(scope, move || work(part));
            spawned.expect("a thread starts");
        }
    });
}

/// Reads a text in pieces of that length. At its end it is what it is as a whole.
fn stream(text: &str, schema: &Schema, length: usize, name: &str) {
    let mut reply = Stream::new(Some(schema));
    let mut all = All::new(Some(schema));
    syntax::laws::work_of_streams_is_bounded(text, || || length);
    let mut shown = 0;
    for piece in text.as_bytes().chunks(length) {
        reply.push_bytes(piece).unwrap();
        let read = reply.stream().document().root();
        shown += read.map_or(0, |root| root.len());
        shown += reply.value().map_or(0, |value| value.len());
        shown += reply.events().len();
        all.push_bytes(piece).unwrap();
        shown += all.pop().map_or(0, |(offset, _)| offset);
        shown += all.current().value().map_or(0, |value| value.len());
    }
    std::hint::black_box(shown);
    let finished = reply.finish().parsed.to_json();
    assert_eq!(finished, parse(text, Some(schema)).to_json(), "{name}");
    drop(all.finish());
}

#[test]
fn deepest_values() {
    on_small_stack(|| {
        let (any, record) = (anything_below(), record());
        let lists = format!("{}{}", "[".repeat(512), "]".repeat(512));
        let objects = format!("{}1{}", "{\"a\":".repeat(512), "}".repeat(512));
        let linked = format!(
            "{}{{}}{}",
            "{\"a\":\"1\",\"next\":".repeat(511),
            "}".repeat(511)
        );
        for text in [lists, objects, linked] {
            for schema in [None, Some(&any), Some(&record)] {
                let parsed = parse(&text, schema);
                assert!(parsed.value().is_some());
                use_up(&text, schema);
            }
            let value = parse(&text, None)
                .value()
                .map(DeserializeExt::to_value)
                .unwrap()
                .unwrap();
            let coerced = llmjson::coerce(&value, &any).to_json();
            assert_eq!(coerced.map(|json| json.len()), Some(text.len()));
            // Serde's own types recurse, so they get less.
            assert!(llmjson::from_str::<Value>(&text).is_err());
        }
        let text = format!("{}{}", "[".repeat(513), "]".repeat(513));
        assert!(matches!(
            parse(&text, None).document().limit(),
            Some(LimitReached::Depth { .. })
        ));
    });
}

#[test]
fn text_within_text_within_text() {
    on_small_stack(|| {
        let mut text = json!({"a": "1"}).to_string();
        while text.len() < 200_000 {
            text = Value::String(text).to_string();
        }
        use_up(&text, Some(&record()));
        use_up(&format!("{{\"next\": {text}}}"), Some(&record()));
        let opened = json!({"a": "[".repeat(100_000)}).to_string();
        use_up(&opened, Some(&anything_below()));
        let list = json!({"a": 1, "tags": "[{\"".repeat(50_000)}).to_string();
        use_up(&list, Some(&record()));
    });
}

#[test]
fn numbers_without_measure() {
    on_small_stack(|| {
        let integer = Schema::compile(&json!({"type": "integer", "minimum": 5})).unwrap();
        let number = Schema::compile(&json!({"type": "number", "multipleOf": 0.1})).unwrap();
        let digits = "9".repeat(1_000_000);
        let texts = [
            "1e999999999".to_owned(),
            "-1e-999999999".to_owned(),
            "1e99999999999999999999".to_owned(),
            digits.clone(),
            format!("0.{digits}"),
            format!("1{}", "0".repeat(1_000_000)),
            format!("1e{digits}"),
            format!("{digits}e-1000000"),
            format!("0{digits}"),
            format!("1{}", "_0".repeat(100_000)),
            format!("1{}", ",000".repeat(100_000)),
        ];
        for text in texts {
            for schema in [None, Some(&integer), Some(&number)] {
                use_up(&text, schema);
                use_up(&format!("\"{text}\""), schema);
                use_up(&format!("[{text}, \"{text}\"]"), schema);
            }
        }
        let parsed = parse("1e999999999", Some(&integer));
        assert_eq!(parsed.to_json().as_deref(), Some("1e999999999"));
    });
}

#[test]
fn patterns_that_go_back_and_forth() {
    on_small_stack(|| {
        for [pattern, length] in rows_of(FILE, "patterns that go back and forth") {
            let length = number(length);
            let schema = Schema::compile(&json!({"type": "string", "pattern": pattern})).unwrap();
            let text = json!("a".repeat(length) + "!").to_string();
            assert!(!parse(&text, Some(&schema)).conforms(), "{pattern}");
            use_up(&text, Some(&schema));
        }
    });
}

#[test]
fn schemas_that_lead_in_circles() {
    on_small_stack(|| {
        for schema in lines(FILE, "schemas that lead in circles") {
            let schema: Value = serde_json::from_str(schema).expect("JSON");
            if let Ok(schema) = Schema::compile(&schema) {
                use_up("{\"a\": [1, {\"b\": null}]}", Some(&schema));
            }
        }
        let doubling = (0..40).fold(
            json!({"type": "null"}),
            |inner, _| json!({"anyOf": [{"type": "array", "items": inner}, {"type": "string"}]}),
        );
        let schema = Schema::compile(&doubling).unwrap();
        use_up(
            &format!("{}5{}", "[".repeat(60), "]".repeat(60)),
            Some(&schema),
        );
        let tree = json!({"anyOf": [
            {"type": "object", "properties": {"l": {"$ref": "#"}, "r": {"$ref": "#"}}, "required": ["l"]},
            {"type": "object", "properties": {"l": {"$ref": "#"}, "x": {"$ref": "#"}}, "required": ["l"]},
            {"type": "integer"}
        ]});
        let schema = Schema::compile(&tree).unwrap();
        use_up(
            &format!("{}\"x\"{}", "{\"l\":".repeat(300), "}".repeat(300)),
            Some(&schema),
        );
    });
}

#[test]
fn many_members_and_many_names() {
    on_small_stack(|| {
        let members: Vec<_> = (0..50_000)
            .map(|i| format!("\"Member {i}\": \"{i}\""))
            .collect();
        let text = format!("{{{}}}", members.join(", "));
        let names = (0..2_000).map(|i| (format!("member_{i}"), json!({"type": "integer"})));
        let properties: serde_json::Map<_, _> = names.collect();
        let schema = json!({"type": "object", "properties": properties});
        let schema = Schema::compile(&schema).unwrap();
        let parsed = parse(&text, Some(&schema));
        assert_eq!(parsed.value().map(|root| root.len()), Some(50_000));
        let same = "\"a\": 1, ".repeat(200_000);
        use_up(&format!("{{{same}}}"), Some(&record()));
        let uniques = Schema::compile(&json!({"type": "array", "uniqueItems": true})).unwrap();
        let list: Vec<_> = (0..100_000).map(|i| i.to_string()).collect();
        assert!(parse(&format!("[{}]", list.join(",")), Some(&uniques)).conforms());
    });
}
