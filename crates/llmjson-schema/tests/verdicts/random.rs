//! Random pairs of a schema and a value, from a seeded sequence. `LLMJSON_PAIRS` says how many.

use llmjson_testutil::table::{Lines, lines};
use std::env;

use jsonschema::Draft;
use llmjson_schema::{Schema, laws};
use serde_json::{Map, Value, json};

/// The rows of the tests.
const FILE: &str = include_str!("random.txt");

/// Values for each schema.
const VALUES: usize = 10;

/// The formats that both know; those that are only meant are by the letter here.
static FORMATS: Lines = Lines::new(|| lines(FILE, "formats"));

static PATTERNS: Lines = Lines::new(|| lines(FILE, "patterns"));

static TEXTS: Lines = Lines::new(|| lines(FILE, "texts"));

const NAMES: &[&str] = &["a", "b", "c", "ab", "x1", "é"];

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn is(&mut self, of_ten: usize) -> bool {
        self.below(10) < of_ten
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn number(&mut self) -> Value {
        match self.below(8) {
            0 => json!(0.5),
            1 => json!(-1.5),
            2 => json!(2.0),
            3 => json!(1e3),
            _ => json!(self.below(7) as i64 - 2),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.is(5)),
            2 => self.number(),
            3 | 4 => self.of(&TEXTS).into(),
            5 | 6 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let names = (0..self.below(4)).map(|_| self.of(NAMES).to_owned());
                let names: Vec<String> = names.collect();
                let members = names.into_iter().map(|name| (name, self.value(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..1 + self.below(3)).map(|_| self.schema(depth)).collect()
    }

    fn schema_map(&mut self, names: &[&str], depth: usize) -> Value {
        let mut map = Map::new();
        for _ in 0..1 + self.below(3) {
            map.insert(self.of(names).to_owned(), self.schema(depth));
        }
        Value::Object(map)
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<&str> = (0..self.below(3)).map(|_| self.of(NAMES)).collect();
        names.sort_unstable();
        names.dedup();
        names.into()
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.below(14) == 0 {
            return json!(self.is(6));
        }
        let mut schema = Map::new();
        for _ in 0..self.below(4) {
            let (keyword, argument) = match self.below(5) {
                0 | 1 => self.plain_keyword(),
                _ if depth == 0 => self.plain_keyword(),
                _ => self.keyword(depth - 1),
            };
            schema.insert(keyword.to_owned(), argument);
        }
        Value::Object(schema)
    }

    fn plain_keyword(&mut self) -> (&'static str, Value) {
        const TYPES: &[&str] = &[
            "null", "boolean", "integer", "number", "string", "array", "object",
        ];
        match self.below(17) {
            0 => ("type", self.of(TYPES).into()),
            1 => {
                let (one, other) = (self.below(7), self.below(7));
                let types: Vec<&str> = match one == other {
                    true => vec![TYPES[one]],
                    false => vec![TYPES[one], TYPES[other]],
                };
                ("type", types.into())
            }
            2 => ("const", self.value(1)),
            3 => (
                "enum",
                (0..1 + self.below(3)).map(|_| self.value(1)).collect(),
            ),
            4 => ("minimum", self.number()),
            5 => ("exclusiveMaximum", self.number()),
            6 => (
                "multipleOf",
                self.of(&[json!(2), json!(0.5), json!(3)].each_ref())
                    .clone(),
            ),
            7 => ("minLength", self.below(3).into()),
            8 => ("maxLength", self.below(4).into()),
            9 => ("pattern", self.of(&PATTERNS).into()),
            10 => ("format", self.of(&FORMATS).into()),
            11 => ("maxItems", self.below(3).into()),
            12 => ("minItems", self.below(3).into()),
            13 => ("uniqueItems", self.is(7).into()),
            14 => ("required", self.names()),
            15 => ("maxProperties", self.below(4).into()),
            _ => ("minContains", self.below(3).into()),
        }
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        match self.below(23) {
            0 => ("not", self.schema(depth)),
            1 | 2 => ("if", self.schema(depth)),
            3 => ("then", self.schema(depth)),
            4 => ("else", self.schema(depth)),
            5 => ("contains", self.schema(depth)),
            6 => ("maxContains", self.below(3).into()),
            7 => ("propertyNames", self.schema(depth)),
            8 => {
                let mut map = Map::new();
                map.insert(self.of(NAMES).to_owned(), self.names());
                ("dependentRequired", map.into())
            }
            9 => ("dependentSchemas", self.schema_map(NAMES, depth)),
            10 => ("allOf", self.schemas(depth)),
            11 => ("anyOf", self.schemas(depth)),
            12 => ("oneOf", self.schemas(depth)),
            13 | 14 => ("properties", self.schema_map(NAMES, depth)),
            15 => ("patternProperties", self.schema_map(&PATTERNS, depth)),
            16 => ("additionalProperties", self.schema(depth)),
            17 => ("items", self.schema(depth)),
            18 => ("prefixItems", self.schemas(depth)),
            19 => ("$ref", self.of(&["#/$defs/a", "#/$defs/b"]).into()),
            20 => ("unevaluatedProperties", self.schema(depth)),
            21 => ("unevaluatedItems", self.schema(depth)),
            _ => ("$ref", "#/$defs/a".into()),
        }
    }

    /// A schema with two definitions, of which the first one may lead to the second one and, within
    /// members, to the whole.
    fn whole(&mut self) -> Value {
        let mut schema = self.schema(3);
        if let Value::Object(members) = &mut schema {
            let inner = json!({"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/$defs/b"}}});
            let first = if self.is(5) { inner } else { self.plain() };
            members.insert("$defs".to_owned(), json!({"a": first, "b": self.plain()}));
        }
        schema
    }

    fn plain(&mut self) -> Value {
        let keywords = (0..self.below(3)).map(|_| self.plain_keyword());
        let keywords: Vec<_> = keywords.collect();
        Value::Object(
            keywords
                .into_iter()
                .map(|(one, value)| (one.to_owned(), value))
                .collect(),
        )
    }
}

#[test]
fn verdicts_on_random_pairs_are_those_of_jsonschema() {
    let pairs = env::var("LLMJSON_PAIRS")
        .ok()
        .and_then(|pairs| pairs.parse().ok());
    let pairs: usize = pairs.unwrap_or(5_000);
    let seed = env::var("LLMJSON_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(3));
    let (mut judged, mut valid, mut refused) = (0, 0, 0);
    while judged < pairs {
        let schema = random.whole();
        let values: Vec<Value> = (0..VALUES).map(|_| random.value(3)).collect();
        let theirs = laws::judge(&schema, Draft::Draft202012);
        let Ok(ours) = Schema::from_text(&schema.to_string()) else {
            refused += 1;
            continue;
        };
        let theirs = theirs.unwrap_or_else(|error| panic!("{error} in {schema}"));
        for value in &values {
            let verdict = super::is_valid(&ours, value);
            assert_eq!(verdict, theirs.is_valid(value), "{value} and {schema}");
            judged += 1;
            valid += usize::from(verdict);
        }
    }
    println!("{judged} pairs, {valid} of them valid; {refused} schemas refused");
    assert!(
        valid * 5 > judged && valid * 20 < judged * 19,
        "{valid} of {judged}"
    );
}
