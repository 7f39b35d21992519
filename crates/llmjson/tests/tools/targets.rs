//! Schemas for providers: properties of rendering, and snapshots of rendered schemas.

use llmjson::Schema;
use llmjson::laws::{rendered_is_taken, what_fits_fits_the_rendered};
use llmjson::tools::{LintCode, SchemaTarget};
use llmjson_testutil::table::{self, Lines};
use serde_json::{Value, json};

use crate::cases;

/// The rows of the tests.
const FILE: &str = include_str!("targets.txt");

/// Schemas with keywords that not every provider supports, by name.
const EXAMPLES: &[(&str, &str)] = &[
    ("tagged", include_str!("targets/tagged.json")),
    ("tree", include_str!("targets/tree.json")),
    ("optional", include_str!("targets/optional.json")),
    ("bounds", include_str!("targets/bounds.json")),
    ("parts", include_str!("targets/parts.json")),
    ("required_any", include_str!("targets/required_any.json")),
    ("old", include_str!("targets/old.json")),
    ("maps", include_str!("targets/maps.json")),
];

/// Small schemas with edge cases, among them former failures.
static ODD: Lines = Lines::new(|| table::lines(FILE, "odd"));

/// Returns all schemas of the tables and of the corpus, with names.
fn schemas() -> Vec<(String, Schema)> {
    let files = cases::read_all();
    let cases = files.iter().flat_map(|file| &file.cases);
    let of_corpus = cases.filter_map(|case| Some((case.name(), case.get("schema")?.to_owned())));
    let of_corpus: Vec<_> = of_corpus.collect();
    assert!(of_corpus.len() > 500, "{}", of_corpus.len());
    let telling = EXAMPLES
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let odd = ODD
        .iter()
        .map(|text| ((*text).to_owned(), (*text).to_owned()));
    let texts = telling.chain(odd).chain(of_corpus);
    texts
        .map(|(name, text)| {
            let schema = Schema::from_text(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, schema)
        })
        .collect()
}

#[test]
fn rendered_schemas_are_supported_and_rendering_is_idempotent() {
    for (name, schema) in &schemas() {
        for target in SchemaTarget::ALL {
            let rendered = rendered_is_taken(target, schema);
            let refused = rendered
                .unsupported()
                .iter()
                .find(|lint| lint.code == LintCode::Refused);
            assert_eq!(refused, None, "{target} {name}\n{}", rendered.as_json());
        }
    }
}

/// Formats a schema with a line for each member, property and definition.
fn lines(json: &str) -> String {
    let document = llmjson::syntax::parse(json);
    let mut lines = String::new();
    for (name, value) in document.root().unwrap().members() {
        if !matches!(&*name, "properties" | "$defs") {
            lines.push_str(&format!("{name}: {}\n", value.to_json()));
            continue;
        }
        lines.push_str(&format!("{name}:\n"));
        for (name, value) in value.members() {
            lines.push_str(&format!("  {name}: {}\n", value.to_json()));
        }
    }
    lines
}

#[test]
fn schemas_are_rendered_for_each_target() {
    for (name, text) in EXAMPLES {
        let schema = Schema::from_text(text).unwrap();
        let mut shown = String::new();
        for target in SchemaTarget::ALL {
            let rendered = target.render(&schema);
            shown.push_str(&format!("== {target}\n{}", lines(rendered.as_json())));
            for lint in rendered.unsupported() {
                shown.push_str(&format!("unsupported: {lint}\n"));
            }
            for lint in target.lint(&schema) {
                shown.push_str(&format!("lint: {lint}\n"));
            }
        }
        let mut settings = insta::Settings::new();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("targets");
        settings.bind(|| insta::assert_snapshot!(*name, shown));
    }
}

/// Returns a value as a model would write it for a rendered schema: with null for missing members.
fn filled(value: &Value, part: &Value, root: &Value) -> Value {
    if let Some(reference) = part["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return filled(value, target, root);
    }
    if let Some(branches) = part["anyOf"]
        .as_array()
        .filter(|_| part["properties"].is_null())
    {
        let tries = branches
            .iter()
            .map(|branch| (branch, filled(value, branch, root)));
        let mut fit = tries.filter(|(branch, filled)| {
            let mut schema = (*branch).clone();
            if !root["$defs"].is_null() {
                schema["$defs"] = root["$defs"].clone();
            }
            Schema::compile(&schema).unwrap().validate(filled).is_ok()
        });
        return fit
            .next()
            .map_or_else(|| value.clone(), |(_, filled)| filled);
    }
    match value {
        Value::Object(members) => {
            let mut members = members.clone();
            for name in part["required"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap();
                members.entry(name).or_insert(Value::Null);
            }
            for (name, member) in &mut members {
                *member = filled(member, &part["properties"][name], root);
            }
            Value::Object(members)
        }
        Value::Array(items) => {
            let items = items.iter();
            items
                .map(|item| filled(item, &part["items"], root))
                .collect()
        }
        _ => value.clone(),
    }
}

/// Removes members that are null, which are equivalent to missing ones where both are allowed.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, member)| !member.is_null());
            members
                .map(|(name, member)| (name.clone(), without_nulls(member)))
                .collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        _ => value.clone(),
    }
}

#[test]
fn valid_values_are_valid_for_the_rendered_schema_and_coerced_back() {
    let text = |name: &str| EXAMPLES.iter().find(|(one, _)| *one == name).unwrap().1;
    let list = r#"{"type": "array", "items": {"type": "integer"}}"#;
    let union = r#"{"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}, "c": {"type": "string"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"]}]}"#;
    let table = [
        (
            text("tagged"),
            json!({"pet": {"kind": "dog", "barks": null}, "size": "large"}),
        ),
        (
            text("tagged"),
            json!({"pet": {"kind": "dog", "barks": true}, "size": "small"}),
        ),
        (
            text("tagged"),
            json!({"pet": {"kind": "cat", "lives": 9}, "size": "medium"}),
        ),
        (
            text("tree"),
            json!({"root": {"label": "a", "children": [{"label": "b", "children": []}]}, "owner": {"name": "Ada"}}),
        ),
        (
            text("tree"),
            json!({"root": {"label": "a", "children": [], "parent": {"label": "z", "children": []}}}),
        ),
        (text("optional"), json!({"name": "Ada", "zone": null})),
        (
            text("optional"),
            json!({"name": "Ada", "zone": "z", "guests": 3, "mood": "loud", "fixed": "v1", "place": 4, "at": {}}),
        ),
        (
            text("parts"),
            json!({"a": "abc", "b": 4, "d": "ft", "e": {"id": "i", "y": "m"}}),
        ),
        (text("required_any"), json!({"projectId": "p"})),
        (
            text("old"),
            json!({"price": 0.5, "mark": null, "pair": ["a", 1]}),
        ),
        (list, json!([1, 2])),
        (list, json!([])),
        (union, json!({"a": "x"})),
        (union, json!({"b": false})),
        (r#"{"enum": ["a", "b", 3]}"#, json!(3)),
    ];
    let mut judged = 0;
    for (schema, value) in &table {
        let schema = Schema::from_text(schema).unwrap();
        assert!(schema.validate(value).is_ok(), "{value}");
        for target in SchemaTarget::ALL {
            let rendered = target.render(&schema);
            if rendered
                .unsupported()
                .iter()
                .any(|lint| lint.code == LintCode::Lost)
            {
                continue;
            }
            // Coercion does not unwrap scalars.
            if rendered.wrapper().is_some() && schema.takes_scalar() {
                continue;
            }
            judged += 1;
            let whole = rendered
                .wrapper()
                .map_or_else(|| value.clone(), |name| json!({name: value}));
            let written = filled(&whole, &rendered.to_value(), &rendered.to_value());
            let asked = Schema::from_text(rendered.as_json()).unwrap();
            let shown = format!("{target}: {written} for {}", rendered.as_json());
            assert!(asked.validate(&written).is_ok(), "{shown}");
            let back = llmjson::coerce(written, &schema);
            assert!(back.conforms(), "{shown}");
            let back = back.to_value().unwrap();
            assert_eq!(without_nulls(&back), without_nulls(value), "{shown}");
        }
    }
    assert!(judged > 60, "{judged}");
}

#[test]
fn json_text_in_strings_is_parsed() {
    let text = |name: &str| EXAMPLES.iter().find(|(one, _)| *one == name).unwrap().1;
    let maps = json!({"counts": r#"{"a": 1}"#, "anything": null, "open": {"a": ""}, "numbers": 1, "flag": true});
    let deep = json!({"label": "c", "children": [], "parent": r#"{"label": "d", "children": []}"#});
    let tree = json!({"root": {"label": "a", "children": [{"label": "b", "children": [deep]}]}});
    for (name, written, pointer, wanted) in [
        ("maps", maps, "/counts/a", json!(1)),
        (
            "tree",
            tree,
            "/root/children/0/children/0/parent/label",
            json!("d"),
        ),
    ] {
        let schema = Schema::from_text(text(name)).unwrap();
        let rendered = SchemaTarget::Anthropic.render(&schema);
        let asked = Schema::from_text(rendered.as_json()).unwrap();
        assert!(
            asked.validate(&written).is_ok(),
            "{name} {}",
            rendered.as_json()
        );
        let text = written.to_string();
        for policy in [llmjson::Policy::lenient(), llmjson::Policy::tool()] {
            let parsed = policy.parse(&text, Some(&schema));
            assert!(parsed.conforms(), "{name} {:?}", parsed.violations());
            let value = parsed.to_value().unwrap();
            assert_eq!(value.pointer(pointer), Some(&wanted), "{name}");
        }
    }
}

/// Schemas that are large, deep or recursive.
#[test]
fn hostile_schemas_are_rendered_within_limits() {
    let nested = |open: &str, close: &str, times: usize| {
        format!(
            "{}{{\"type\": \"string\"}}{}",
            open.repeat(times),
            close.repeat(times)
        )
    };
    // Each definition refers to the next one twice.
    let doubling = |keyword: &str| {
        let mut definitions = vec![r#""d0": {"type": "string", "minLength": 3}"#.to_owned()];
        for number in 1..60 {
            let reference = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, number - 1);
            definitions.push(match keyword {
                "properties" => format!(
                    r#""d{number}": {{"type": "object", "properties": {{"a": {reference}, "b": {reference}}}}}"#
                ),
                _ => format!(r#""d{number}": {{"{keyword}": [{reference}, {reference}]}}"#),
            });
        }
        format!(
            r##"{{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d59"}}}}, "$defs": {{{}}}}}"##,
            definitions.join(", ")
        )
    };
    let recursive: Vec<String> = (0..60)
        .map(|number| {
            let all: Vec<String> = (0..60)
                .map(|other| format!(r##""p{other}": {{"$ref": "#/$defs/d{other}"}}"##))
                .collect();
            format!(
                r#""d{number}": {{"type": "object", "properties": {{{}}}}}"#,
                all.join(", ")
            )
        })
        .collect();
    let names: Vec<String> = (0..6_000)
        .map(|number| format!(r#""m{number}": {{"type": "string"}}"#))
        .collect();
    let values: Vec<String> = (0..1_200)
        .map(|number| format!("\"value number {number}\""))
        .collect();
    let unknown: Vec<String> = (0..5_000)
        .map(|number| format!("\"x-{number}\": 1"))
        .collect();
    let texts = [
        nested(r#"{"items": "#, "}", 254),
        nested(r#"{"not": "#, "}", 254),
        nested(r#"{"anyOf": ["#, "]}", 126),
        nested(r#"{"allOf": ["#, "]}", 126),
        nested(r#"{"type": "object", "properties": {"a": "#, "}}", 126),
        doubling("properties"),
        doubling("anyOf"),
        doubling("allOf"),
        format!(
            r##"{{"$ref": "#/$defs/d0", "$defs": {{{}}}}}"##,
            recursive.join(", ")
        ),
        format!(
            r#"{{"type": "object", "properties": {{{}}}}}"#,
            names.join(", ")
        ),
        format!(
            r#"{{"type": "object", "properties": {{"a": {{"enum": [{}]}}, "b": {{"enum": ["x"]}}}}}}"#,
            values.join(", ")
        ),
        format!(r#"{{"type": "object", {}}}"#, unknown.join(", ")),
        format!(
            r#"{{"type": "object", "properties": {{"{}": {{"x-a": 1}}}}}}"#,
            "long".repeat(500_000)
        ),
    ];
    // A thread with the default stack size.
    let judge = move || {
        for text in &texts {
            let Ok(schema) = Schema::from_text(text) else {
                continue;
            };
            for target in SchemaTarget::ALL {
                rendered_is_taken(target, &schema);
                assert!(target.lint(&schema).len() <= 1_001);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(judge).unwrap().join().unwrap();
}

/// A deterministic random number generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len())]
    }

    /// Returns a random keyword with a value; `None` at the maximum depth.
    fn keyword(&mut self, depth: usize) -> Option<(&'static str, Value)> {
        let types = [
            "object", "array", "string", "number", "integer", "boolean", "null",
        ];
        let scalars = [
            json!("a"),
            json!("b"),
            json!(1),
            json!(2.5),
            json!(true),
            json!(null),
        ];
        let keyword = self.below(if depth == 0 { 16 } else { 34 });
        Some(match keyword {
            0..=4 => ("type", json!(self.pick(&types))),
            5 => (
                "type",
                json!([types[self.below(3)], types[3 + self.below(4)]]),
            ),
            6 => (
                "enum",
                (0..=self.below(3))
                    .map(|at| scalars[(at * 2 + self.below(2)) % 6].clone())
                    .collect(),
            ),
            7 => ("const", scalars[self.below(6)].clone()),
            8 => (
                "description",
                json!(self.pick(&["Words", "More words.", "", "At least 1."])),
            ),
            9 => (
                self.pick(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
                json!(self.below(4)),
            ),
            10 => (
                self.pick(&[
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "maxProperties",
                ]),
                json!(self.below(4)),
            ),
            11 => (
                "format",
                json!(self.pick(&["uri", "date-time", "int32", "uuid"])),
            ),
            12 => ("pattern", json!(self.pick(&["^a", "\\bb", "(?=a)a"]))),
            13 => (self.pick(&["default", "title", "$comment"]), json!("x")),
            14 => ("nullable", json!(true)),
            15 => (
                "$ref",
                json!(self.pick(&["#/$defs/a", "#/$defs/b", "#/$defs/c", "#"])),
            ),
            16..=20 => ("properties", self.members(depth)),
            21 | 22 => (
                "required",
                (0..self.below(3))
                    .map(|at| json!(["a", "b", "data"][at]))
                    .collect(),
            ),
            23 => ("additionalProperties", self.schema(depth - 1)),
            24 | 25 => ("items", self.schema(depth - 1)),
            26 => ("prefixItems", self.list(depth)),
            27 | 28 => ("anyOf", self.list(depth)),
            29 | 30 => ("oneOf", self.list(depth)),
            31 => ("allOf", self.list(depth)),
            32 => ("not", self.schema(depth - 1)),
            _ => ("uniqueItems", json!(true)),
        })
    }

    fn members(&mut self, depth: usize) -> Value {
        let names = ["a", "b", "data", "type"];
        (0..self.below(4))
            .map(|at| (names[at].to_owned(), self.schema(depth - 1)))
            .collect()
    }

    fn list(&mut self, depth: usize) -> Value {
        (0..=self.below(3))
            .map(|_| self.schema(depth - 1))
            .collect()
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.below(12) == 0 {
            return json!(self.below(4) != 0);
        }
        let keywords = 1 + self.below(4);
        let members = (0..keywords).filter_map(|_| self.keyword(depth));
        let mut schema: Value = members
            .map(|(keyword, value)| (keyword.to_owned(), value))
            .collect();
        // Rendering infers the type from such keywords, so it is stated.
        let about = |keyword: &String| match &**keyword {
            "properties" | "required" | "additionalProperties" | "maxProperties" => Some("object"),
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" => Some("array"),
            "minLength" | "maxLength" | "pattern" => Some("string"),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Some("number"),
            _ => None,
        };
        let said = schema
            .as_object()
            .and_then(|members| members.keys().find_map(about));
        if let (Some(said), None) = (said, schema.get("type")) {
            schema["type"] = json!(said);
        }
        schema
    }

    fn value(&mut self, depth: usize) -> Value {
        let scalars = [
            json!("a"),
            json!("b"),
            json!(1),
            json!(2.5),
            json!(true),
            json!(null),
            json!(3),
            json!("abc"),
        ];
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0..=3 => scalars[self.below(8)].clone(),
            4 => (0..self.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let names = ["a", "b", "data", "type"];
                let members = (0..4).filter(|_| self.below(2) == 0).collect::<Vec<_>>();
                members
                    .into_iter()
                    .map(|at| (names[at].to_owned(), self.value(depth - 1)))
                    .collect()
            }
        }
    }
}

#[test]
fn random_schemas_are_rendered_by_the_same_rules() {
    let mut chance = Chance(0x5EED);
    let (mut compiled, mut values) = (0, 0);
    for _ in 0..300 {
        let mut schema = chance.schema(3);
        if let Value::Object(members) = &mut schema {
            let definitions = ["a", "b", "c"].map(|name| (name.to_owned(), chance.schema(2)));
            members.insert("$defs".to_owned(), definitions.into_iter().collect());
        }
        let Ok(schema) = Schema::compile(&schema) else {
            continue;
        };
        compiled += 1;
        for target in SchemaTarget::ALL {
            rendered_is_taken(target, &schema);
        }
        for _ in 0..20 {
            let value = chance.value(2);
            if schema.validate(&value).is_err() {
                continue;
            }
            values += 1;
            for target in [
                SchemaTarget::Anthropic,
                SchemaTarget::GeminiOpenApi,
                SchemaTarget::GeminiJson,
                SchemaTarget::Mcp,
            ] {
                what_fits_fits_the_rendered(target, &schema, &value);
            }
        }
    }
    assert!(compiled > 100 && values > 100, "{compiled} {values}");
}
