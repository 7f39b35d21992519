//! Putting a violation into words.

use std::sync::{Mutex, OnceLock, PoisonError};

use llmjson_syntax::{Key, ValueRef};
use serde_json::Value;

use super::{Collector, Visit};
use crate::expected;
use crate::nearest::List;
use crate::path::Path;
use crate::report::{Found, Violation};
use crate::rules::{Broken, NumberKeyword};
use crate::shape::{Shape, ShapeId, Shapes, Tag};
use crate::unique;

/// What is said about a shape at each of its violations, put together when it is first said. It is
/// kept with the schema: of many small values each may break the same rule, and the words take
/// longer than finding that out.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// What the shape asks for.
    whole: OnceLock<Box<str>>,
    /// The values that it allows.
    allowed: OnceLock<Box<str>>,
    /// Where the shape stands in the schema.
    pointer: OnceLock<Box<str>>,
    /// What its rules ask for, each alone.
    rules: Mutex<Vec<(Broken, Box<str>)>>,
}

impl Words {
    /// What a rule of the shape asks for.
    fn rule(&self, shapes: &Shapes, shape: ShapeId, broken: Broken) -> String {
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, words)) = rules.iter().find(|(rule, _)| *rule == broken) {
            return (**words).to_owned();
        }
        let words = expected::rule(shapes, shape, broken);
        rules.push((broken, (&*words).into()));
        words
    }
}

impl<'s, 'd> Collector<'s, 'd> {
    /// All that a shape asks for, in words.
    pub(super) fn whole(&self, shape: ShapeId) -> String {
        let whole = &self.words[shape.0 as usize].whole;
        let words = whole.get_or_init(|| expected::whole(self.shapes, shape).into());
        (**words).to_owned()
    }

    /// The values that a shape allows, in words.
    fn allowed(&self, shape: ShapeId) -> String {
        let allowed = &self.words[shape.0 as usize].allowed;
        let words = || expected::rule(self.shapes, shape, Broken::Literals).into();
        (**allowed.get_or_init(words)).to_owned()
    }

    /// JSON Pointer to where a shape stands in the schema as it was given.
    fn pointer(&self, shape: ShapeId) -> String {
        let node = self.shapes.get(shape).node;
        let pointer = &self.words[shape.0 as usize].pointer;
        let words = pointer.get_or_init(|| self.normal.tree.source_pointer(node).into());
        (**words).to_owned()
    }

    pub(super) fn missing(&mut self, object: ShapeId, name: &str, shape: Option<ShapeId>) {
        let expected = match shape {
            Some(shape) => self.whole(shape),
            None => "any".to_owned(),
        };
        self.missing_member(object, name, expected, "required");
    }

    /// Says that a member is missing.
    pub(super) fn missing_member(
        &mut self,
        object: ShapeId,
        name: &str,
        expected: String,
        keyword: &'static str,
    ) {
        let hint = [
            "The value at this path is `undefined`.\n\nPlease fill the `",
            &expected,
            "` typed value next time.",
        ]
        .concat();
        let path = self.trail.path().member(name);
        self.report_at(path, object, keyword, expected, Found::Missing, Some(hint));
    }

    pub(super) fn unwanted(
        &mut self,
        object: ShapeId,
        key: Key<'d>,
        value: ValueRef<'d>,
        keyword: &'static str,
    ) {
        let name = key.decoded();
        let hint = format!(
            "The property `{name}` is not defined in the object type.\n\n\
             Please remove the property next time."
        );
        let path = self.trail.path().member(&name);
        let found = Found::Value(value.id());
        self.report_at(
            path,
            object,
            keyword,
            "undefined".to_owned(),
            found,
            Some(hint),
        );
    }

    pub(super) fn wrong_tag(&mut self, union: ShapeId, tag: &Tag, value: ValueRef<'d>) {
        let names = || tag.branches.iter().map(|(name, _)| &**name);
        let expected = expected::names(names());
        let Some(found) = value.get(&tag.property) else {
            self.missing_member(union, &tag.property, expected, "required");
            return;
        };
        let hint = found.as_str().and_then(|text| {
            let found = self.suggestions.nearest(List::Tags(union), &text, names());
            found.as_deref().map(nearest_hint)
        });
        let path = self.trail.path().member(&tag.property);
        let found = Found::Value(found.id());
        self.report_at(path, union, "enum", expected, found, hint);
    }

    pub(super) fn broken(&mut self, visit: Visit<'d>, shape: &Shape, broken: Broken) {
        let Visit {
            value, shape: id, ..
        } = visit;
        let mut text = match broken {
            Broken::Type => self.whole(id),
            Broken::Literals => self.allowed(id),
            _ => self.words[id.0 as usize].rule(self.shapes, id, broken),
        };
        let mut hint = None;
        match broken {
            Broken::Type => text = self.optional(visit, text),
            Broken::Literals => {
                let names = shape.literals.iter().flatten().filter_map(Value::as_str);
                let wrong = value.as_str();
                hint = wrong.and_then(|text| {
                    let found = self.suggestions.nearest(List::Values(id), &text, names);
                    found.as_deref().map(nearest_hint)
                });
            }
            Broken::UniqueItems => {
                hint = unique::repeated(value).map(|(first, again)| {
                    format!(
                        "The items at {first} and {again} of this array are the same.\n\n\
                         Please give every item only once next time."
                    )
                });
            }
            Broken::Pattern => {
                if let Some(steps) = self.judge.ran_out(id, value) {
                    hint = Some(format!(
                        "Matching the pattern takes more than {steps} steps.\n\n\
                         Please give a shorter value next time."
                    ));
                    let found = Found::Value(value.id());
                    self.report(id, "pattern_steps", text, found, hint);
                    return;
                }
            }
            _ => {}
        }
        let keyword = keyword(shape, broken);
        self.report(id, keyword, text, Found::Value(value.id()), hint);
    }

    /// What is expected of a member that may also be left out.
    pub(super) fn optional(&self, visit: Visit<'d>, expected: String) -> String {
        if visit.is_optional {
            format!("{expected} | undefined")
        } else {
            expected
        }
    }

    /// Records a violation at the present path, unless the same was just recorded there.
    pub(super) fn report(
        &mut self,
        shape: ShapeId,
        keyword: &'static str,
        expected: String,
        found: Found,
        description: Option<String>,
    ) {
        let path = self.trail.path().clone();
        self.report_at(path, shape, keyword, expected, found, description);
    }

    /// The same at another path.
    pub(super) fn report_at(
        &mut self,
        path: Path,
        shape: ShapeId,
        keyword: &'static str,
        expected: String,
        found: Found,
        description: Option<String>,
    ) {
        let mut recent = self.violations.iter().rev().take(8);
        if recent
            .any(|other| other.found == found && other.expected == expected && other.path == path)
        {
            return;
        }
        let schema = self.pointer(shape);
        if self.violations.capacity() == 0 {
            // Most values that do not fit have one violation, and a vector begins with four.
            self.violations.reserve_exact(1);
        }
        self.violations.push(Violation {
            path,
            expected,
            found,
            description,
            keyword,
            schema,
        });
    }
}

fn nearest_hint(name: &str) -> String {
    let value = expected::names([name]);
    format!("The nearest allowed value is `{value}`.\n\nPlease spell it so next time.")
}

/// The keyword of the schema that a rule comes from.
fn keyword(shape: &Shape, broken: Broken) -> &'static str {
    match broken {
        Broken::Type if shape.literals.is_some() => "enum",
        Broken::Type => "type",
        Broken::Literals if shape.literals.as_ref().is_some_and(|list| list.len() == 1) => "const",
        Broken::Literals => "enum",
        Broken::Bound(NumberKeyword::Minimum) => "minimum",
        Broken::Bound(NumberKeyword::Maximum) => "maximum",
        Broken::Bound(NumberKeyword::ExclusiveMinimum) => "exclusiveMinimum",
        Broken::Bound(NumberKeyword::ExclusiveMaximum) => "exclusiveMaximum",
        Broken::MultipleOf => "multipleOf",
        Broken::Width | Broken::Format => "format",
        Broken::MinLength => "minLength",
        Broken::MaxLength => "maxLength",
        Broken::Pattern => "pattern",
        Broken::MinItems => "minItems",
        Broken::MaxItems => "maxItems",
        Broken::UniqueItems => "uniqueItems",
        Broken::MinProperties => "minProperties",
        Broken::MaxProperties => "maxProperties",
    }
}
