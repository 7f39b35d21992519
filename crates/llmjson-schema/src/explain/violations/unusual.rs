//! Violations of keywords that the walker does not judge itself: `not`, `if`, `contains`,
//! `propertyNames`, `dependentRequired`, `dependentSchemas`, `unevaluated…` and whatever else
//! `jsonschema` knows. It is asked for verdicts about the subschemas inside them.

use llmjson_syntax::{Kind, ValueRef};
use serde_json::{Map, Value};

use super::Collector;
use crate::base::report::Found;
use crate::check::instance::Instance;
use crate::describe::expected;
use crate::ir::shape::ShapeId;

/// Keywords that are named if nothing more can be said than that one of them is not satisfied.
const OTHERS: &[&str] = &[
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependencies",
    "contentMediaType",
    "contentEncoding",
    "contentSchema",
    "$dynamicRef",
    "$recursiveRef",
];

impl<'s, 'd> Collector<'s, 'd> {
    /// Says which unusual keywords a value breaks. `before` is how many violations there were
    /// before the value was looked at.
    pub(super) fn settle(&mut self, value: ValueRef<'d>, id: ShapeId, before: usize) {
        let shape = self.shapes.get(id);
        if self.walker.asks(shape, value) {
            return;
        }
        let normal = self.normal;
        let pointer = normal.pointer(shape.node);
        let raw = normal.value().pointer(&pointer).and_then(Value::as_object);
        if let Some(raw) = raw {
            self.not(value, id, raw);
            self.conditional(value, id, raw);
            if value.kind() == Kind::Array {
                self.contains(value, id, raw);
            }
            if value.kind() == Kind::Object {
                self.property_names(value, id, raw);
                self.dependent_required(value, id, raw);
                self.dependent_schemas(value, id, raw);
            }
        }
        if self.violations.len() == before {
            let known = raw.and_then(|raw| OTHERS.iter().find(|name| raw.contains_key(**name)));
            let expected = match (known, raw) {
                (Some(name), Some(raw)) => {
                    self.share(format!("{name} {}", expected::source(&raw[*name])))
                }
                _ => self.whole(id),
            };
            let keyword = known.copied().unwrap_or("schema");
            self.report(id, keyword, expected, Found::Value(value.id()), None);
        }
    }

    /// Returns whether an instance satisfies what stands at `pointer` below a shape.
    fn part(&self, id: ShapeId, pointer: &str, instance: Instance<'_>) -> bool {
        let whole = self.normal.pointer(self.shapes.get(id).node);
        let pointer = format!("{whole}/{pointer}");
        self.judge
            .oracle
            .part_holds(self.normal.value(), &pointer, instance)
    }

    fn not(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        let Some(not) = raw.get("not") else { return };
        if self.part(id, "not", Instance::Value(value)) {
            let expected = self.share(format!("not {}", expected::source(not)));
            self.report(id, "not", expected, Found::Value(value.id()), None);
        }
    }

    fn conditional(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        if !raw.contains_key("if") {
            return;
        }
        let holds = self.part(id, "if", Instance::Value(value));
        let keyword = if holds { "then" } else { "else" };
        let Some(branch) = raw.get(keyword) else {
            return;
        };
        if !self.part(id, keyword, Instance::Value(value)) {
            let expected = self.share(expected::source(branch));
            self.report(id, keyword, expected, Found::Value(value.id()), None);
        }
    }

    fn contains(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        let Some(contains) = raw.get("contains") else {
            return;
        };
        let bound = |name| raw.get(name).and_then(Value::as_f64);
        let found = value
            .items()
            .filter(|item| self.part(id, "contains", Instance::Value(*item)));
        let count = found.count() as f64;
        let keyword = if count < bound("minContains").unwrap_or(1.0) {
            if raw.contains_key("minContains") {
                "minContains"
            } else {
                "contains"
            }
        } else if bound("maxContains").is_some_and(|most| count > most) {
            "maxContains"
        } else {
            return;
        };
        let argument = match raw.get(keyword).filter(|_| keyword != "contains") {
            Some(limit) => format!("{limit}, {}", expected::source(contains)),
            None => expected::source(contains),
        };
        let name = match keyword {
            "contains" => "Contains",
            "minContains" => "MinContains",
            _ => "MaxContains",
        };
        let array = expected::array(self.shapes, id);
        let expected = self.share(format!("{array} & {name}<{argument}>"));
        self.report(id, keyword, expected, Found::Value(value.id()), None);
    }

    fn property_names(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        let Some(names) = raw.get("propertyNames") else {
            return;
        };
        for (name, member) in value.members() {
            if self.part(id, "propertyNames", Instance::Text(&name)) {
                continue;
            }
            let hint = format!(
                "The name `{name}` is not allowed here.\n\n\
                 Please rename or remove the property next time."
            );
            let expected = self.share(format!("a property named {}", expected::source(names)));
            let path = self.trail.path().member(&name);
            let found = Found::Value(member.id());
            let hint = Some(hint.into());
            self.record(path, id, "propertyNames", expected, found, hint);
        }
    }

    fn dependent_required(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        let Some(Value::Object(rules)) = raw.get("dependentRequired") else {
            return;
        };
        for (_, asked) in rules.iter().filter(|(name, _)| value.get(name).is_some()) {
            for name in asked
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                if value.get(name).is_some() {
                    continue;
                }
                let object = self.shapes.get(id).object.as_ref();
                let property = object.and_then(|rules| rules.property(name));
                let expected = match property {
                    Some(property) => self.whole(property.shape),
                    None => self.share("any"),
                };
                self.missing_member(id, name, expected, "dependentRequired");
            }
        }
    }

    fn dependent_schemas(&mut self, value: ValueRef<'d>, id: ShapeId, raw: &Map<String, Value>) {
        let Some(Value::Object(rules)) = raw.get("dependentSchemas") else {
            return;
        };
        for (name, asked) in rules.iter().filter(|(name, _)| value.get(name).is_some()) {
            let pointer = format!(
                "dependentSchemas/{}",
                name.replace('~', "~0").replace('/', "~1")
            );
            if !self.part(id, &pointer, Instance::Value(value)) {
                let expected = self.share(expected::source(asked));
                self.report(
                    id,
                    "dependentSchemas",
                    expected,
                    Found::Value(value.id()),
                    None,
                );
            }
        }
    }
}
