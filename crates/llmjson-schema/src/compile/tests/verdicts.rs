//! Tests that shapes mean the same as their schema: for many small schemas and values, generated
//! from a seeded sequence, the verdict equals `jsonschema`'s.

use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    fn value(&mut self, depth: u32) -> Value {
        let scalars = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(2.5),
            json!(1.0),
            json!("a"),
            json!("bc"),
            json!(""),
        ];
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0..3 => self.pick(&scalars).clone(),
            3 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let names = ["a", "b", "t"];
                let members =
                    (0..self.below(4)).map(|_| (*self.pick(&names), self.value(depth - 1)));
                members
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect()
            }
        }
    }

    fn schemas(&mut self, least: u64, depth: u32) -> Value {
        (0..least + self.below(3))
            .map(|_| self.schema(depth))
            .collect()
    }

    fn schema(&mut self, depth: u32) -> Value {
        let mut schema = serde_json::Map::new();
        for _ in 0..=self.below(2) {
            let (keyword, value) = self.keyword(depth);
            schema.insert(keyword.to_owned(), value);
        }
        match self.below(30) {
            0 => json!(true),
            1 => json!(false),
            _ => Value::Object(schema),
        }
    }

    fn keyword(&mut self, depth: u32) -> (&'static str, Value) {
        let types = [
            "null", "boolean", "integer", "number", "string", "array", "object",
        ];
        let small = |random: &mut Self| json!(random.below(3));
        if depth > 0 && self.below(2) == 0 {
            let depth = depth - 1;
            return match self.below(9) {
                0 => ("items", self.schema(depth)),
                1 => ("prefixItems", self.schemas(1, depth)),
                2 | 3 => (
                    "properties",
                    json!({"a": self.schema(depth), "t": self.schema(depth)}),
                ),
                4 => ("additionalProperties", self.schema(depth)),
                5 => ("anyOf", self.schemas(1, depth)),
                6 => ("oneOf", self.schemas(1, depth)),
                7 => ("allOf", self.schemas(1, depth)),
                _ => ("$ref", json!(*self.pick(&["#/$defs/x", "#/$defs/y"]))),
            };
        }
        match self.below(16) {
            0..3 => ("type", json!(*self.pick(&types))),
            3 => ("type", json!(["string", *self.pick(&types[..4])])),
            4 => ("enum", (0..=self.below(3)).map(|_| self.value(0)).collect()),
            5 => ("const", self.value(0)),
            6 => ("minimum", small(self)),
            7 => ("exclusiveMaximum", small(self)),
            8 => ("multipleOf", json!(2)),
            9 => ("minLength", small(self)),
            10 => ("maxLength", small(self)),
            11 => ("minItems", small(self)),
            12 => ("uniqueItems", json!(true)),
            13 => ("required", json!([*self.pick(&["a", "b", "t"])])),
            14 => ("maxProperties", small(self)),
            _ => ("additionalProperties", json!(false)),
        }
    }
}

#[test]
fn shapes_give_the_verdicts_of_jsonschema() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = [0, 0];
    for _ in 0..3_000 {
        let mut schema = json!({
            "allOf": [random.schema(3), random.schema(2)],
            // Definitions come without references, so that no circle arises.
            "$defs": {"x": random.schema(0), "y": {"properties": {"a": random.schema(0)}}},
        });
        if let Value::Object(more) = random.schema(2) {
            for (keyword, value) in more {
                schema[keyword] = value;
            }
        }
        let compiled = compile(&schema);
        let judge = jsonschema::draft202012::new(&schema).expect("the schema compiles");
        for _ in 0..20 {
            let value = random.value(2);
            let fits = compiled.validate(&value).is_ok();
            assert_eq!(fits, judge.is_valid(&value), "{value} for {schema}");
            counts[usize::from(fits)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 5_000), "{counts:?}");
}
