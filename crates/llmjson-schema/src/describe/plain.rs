//! A schema's expectations in plain words, for models and people that cannot make use of tagged
//! types.

use super::expected::{BYTES, DEPTH, alias, cut, has_checked_format, push_value, quoted, width};
use crate::check::keywords::Broken;
use crate::ir::bounds::NumberKeyword;
use crate::ir::literals::Literals;
use crate::ir::shape::{Shape, ShapeId, Shapes, Types};

/// The expectation where no value is allowed.
pub(super) const NOTHING: &str = "no value";

/// Returns all requirements of a shape.
pub(super) fn whole(shapes: &Shapes, id: ShapeId) -> String {
    let mut writer = Writer::new(shapes);
    writer.shape(id, DEPTH);
    writer.finish()
}

/// Returns the description of values of this type, with at most one of their rules.
pub(super) fn only(shapes: &Shapes, id: ShapeId, kind: Types, rule: Option<Broken>) -> String {
    let mut writer = Writer::new(shapes);
    let rules = rule.map_or(Rules::None, Rules::Only);
    writer.kind(shapes.get(id), kind, (DEPTH, rules));
    writer.finish()
}

/// Returns the constants of a shape, numbers with their names: `"a", "b" or "c"`,
/// `1 (LOW) or 2 (HIGH)`.
pub(super) fn constants(shape: &Shape, values: &Literals) -> String {
    one_of(values.shown().map(|(value, digits)| {
        let mut text = String::new();
        push_value(&mut text, value, digits);
        if let Some(name) = alias(value, &shape.aliases) {
            text.push_str(&format!(" ({})", cut(name, BYTES / 4)));
        }
        text
    }))
}

/// Returns strings as alternatives: `a, b or c`.
pub(super) fn one_of(texts: impl Iterator<Item = String>) -> String {
    let mut all = Vec::new();
    let mut bytes = 0;
    for text in texts {
        if bytes > BYTES {
            all.push("…".to_owned());
            break;
        }
        bytes += text.len();
        all.push(text);
    }
    match all.split_last() {
        None => NOTHING.to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// The rules that are described for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    All,
    Only(Broken),
    None,
}

struct Writer<'s> {
    shapes: &'s Shapes,
    text: String,
}

impl<'s> Writer<'s> {
    fn new(shapes: &'s Shapes) -> Self {
        let text = String::new();
        Self { shapes, text }
    }

    fn finish(mut self) -> String {
        if self.text.len() > BYTES {
            self.text.truncate(self.text.floor_char_boundary(BYTES));
            self.text.push('…');
        }
        self.text
    }

    fn shape(&mut self, id: ShapeId, depth: u32) {
        if self.text.len() > BYTES {
            return;
        }
        let shape = self.shapes.get(id);
        if let Some(all) = &shape.literals {
            self.text.push_str(&constants(shape, all));
            return;
        }
        let is_compound = shape.object.is_some() || !shape.is_alone();
        if let Some(name) = shape.name.as_ref().filter(|_| is_compound) {
            self.text.push_str("a value of the type ");
            self.text.push_str(cut(name, BYTES));
            return;
        }
        if depth == 0 {
            self.text.push('…');
            return;
        }
        let speaks = shape.types != Types::ALL || shape.has_rules();
        let mut is_first = true;
        if let Some(union) = &shape.union {
            for (at, branch) in union.branches.iter().enumerate() {
                self.text.push_str(if at > 0 { ", or " } else { "" });
                self.shape(*branch, depth - 1);
            }
            is_first = false;
        } else if speaks || shape.also.is_empty() {
            self.types(shape, depth);
            is_first = false;
        }
        for part in &shape.also {
            self.text
                .push_str(if is_first { "" } else { ", which is also " });
            self.shape(*part, depth - 1);
            is_first = false;
        }
    }

    fn types(&mut self, shape: &Shape, depth: u32) {
        if shape.types == Types::ALL && !shape.has_rules() {
            self.text.push_str("any value");
            return;
        }
        if shape.types == Types::NONE {
            self.text.push_str(NOTHING);
        }
        let kinds = [
            Types::BOOLEAN,
            Types::INTEGER,
            Types::STRING,
            Types::ARRAY,
            Types::OBJECT,
            Types::NULL,
        ];
        for (at, kind) in kinds
            .into_iter()
            .filter(|kind| shape.types.has(*kind))
            .enumerate()
        {
            self.text.push_str(if at > 0 { " or " } else { "" });
            self.kind(shape, kind, (depth, Rules::All));
        }
    }

    fn kind(&mut self, shape: &Shape, kind: Types, (depth, rules): (u32, Rules)) {
        match kind {
            Types::NULL => self.text.push_str("null"),
            Types::BOOLEAN => self.text.push_str("true or false"),
            Types::INTEGER => {
                let is_any = shape.types.has(Types::NUMBER);
                self.text
                    .push_str(if is_any { "a number" } else { "a whole number" });
                self.number(shape, rules);
            }
            Types::STRING => {
                self.text.push_str("a text");
                self.string(shape, rules);
            }
            Types::ARRAY => self.array(shape, depth, rules),
            _ => self.object(shape, depth, rules),
        }
    }

    fn number(&mut self, shape: &Shape, rules: Rules) {
        let Some(number) = &shape.number else {
            return;
        };
        let bound = |keyword| {
            let bound = number
                .bound(keyword)
                .filter(|_| rules.say(Broken::Bound(keyword)));
            bound.map(|bound| bound.text.to_string())
        };
        let words = [
            (NumberKeyword::Minimum, "at least"),
            (NumberKeyword::ExclusiveMinimum, "more than"),
            (NumberKeyword::Maximum, "at most"),
            (NumberKeyword::ExclusiveMaximum, "less than"),
        ];
        let found = words.map(|(keyword, words)| Some((words, bound(keyword)?)));
        match &found {
            [Some((_, least)), None, Some((_, most)), None] => {
                self.text.push_str(&format!(" from {least} to {most}"));
            }
            _ => {
                let all: Vec<_> = (found.iter().flatten())
                    .map(|(words, bound)| format!("{words} {bound}"))
                    .collect();
                if !all.is_empty() {
                    self.text.push_str(&format!(" of {}", all.join(" and ")));
                }
            }
        }
        if let Some(step) = number
            .multiple_of
            .as_deref()
            .filter(|_| rules.say(Broken::MultipleOf))
        {
            self.text.push_str(&format!(", a multiple of {step}"));
        }
        if let Some(width) = width(shape).filter(|_| rules.say(Broken::Width)) {
            self.text.push_str(&format!(" that {width} holds"));
        }
    }

    fn string(&mut self, shape: &Shape, rules: Rules) {
        let Some(string) = &shape.string else {
            return;
        };
        let least = string.min_length.filter(|_| rules.say(Broken::MinLength));
        let most = string.max_length.filter(|_| rules.say(Broken::MaxLength));
        self.count(least, most, "character");
        if let Some(format) = string
            .format
            .as_deref()
            .filter(|_| rules.say(Broken::Format))
        {
            self.text
                .push_str(&format!(" in the format {}", quoted(format)));
        }
        if let Some(pattern) = string
            .pattern
            .as_deref()
            .filter(|_| rules.say(Broken::Pattern))
            .filter(|_| !(rules.say(Broken::Format) && has_checked_format(string)))
        {
            self.text
                .push_str(&format!(" that matches {}", quoted(pattern)));
        }
    }

    fn array(&mut self, shape: &Shape, depth: u32, rules: Rules) {
        self.text.push_str("a list");
        let Some(array) = &shape.array else {
            return;
        };
        let least = array.min_items.filter(|_| rules.say(Broken::MinItems));
        let most = array.max_items.filter(|_| rules.say(Broken::MaxItems));
        self.count(least, most, "item");
        if array.unique && rules.say(Broken::UniqueItems) {
            self.text.push_str(", none of them twice");
        }
        for (at, item) in array.prefix.iter().enumerate() {
            self.text
                .push_str(if at > 0 { ", then " } else { ", first " });
            self.shape(*item, depth - 1);
        }
        if let (Some(items), true) = (array.items, array.prefix.is_empty()) {
            self.text.push_str(", each ");
            self.shape(items, depth - 1);
        }
    }

    fn object(&mut self, shape: &Shape, depth: u32, rules: Rules) {
        if let Some(name) = &shape.name {
            self.text.push_str("an object of the type ");
            self.text.push_str(cut(name, BYTES));
            return;
        }
        self.text.push_str("an object");
        let Some(object) = &shape.object else {
            return;
        };
        let least = object
            .min_properties
            .filter(|_| rules.say(Broken::MinProperties));
        let most = object
            .max_properties
            .filter(|_| rules.say(Broken::MaxProperties));
        self.count(least, most, "member");
        if rules != Rules::All {
            return;
        }
        for (at, property) in object.properties.iter().enumerate() {
            if self.text.len() > BYTES {
                return;
            }
            let before = if at > 0 { "; " } else { " with " };
            let name = cut(&property.name, BYTES);
            let may = if property.required {
                ""
            } else {
                " if there is one"
            };
            self.text.push_str(&format!("{before}`{name}`{may}: "));
            self.shape(property.shape, depth - 1);
        }
    }

    /// Writes the allowed number of something.
    fn count(&mut self, least: Option<u64>, most: Option<u64>, one: &str) {
        let several = |count: u64| if count == 1 { "" } else { "s" };
        let text = match (least, most) {
            (None, None) => return,
            (Some(least), Some(most)) if least == most => {
                format!(" of {most} {one}{}", several(most))
            }
            (Some(least), Some(most)) => format!(" of {least} to {most} {one}s"),
            (Some(least), None) => format!(" of at least {least} {one}{}", several(least)),
            (None, Some(most)) => format!(" of at most {most} {one}{}", several(most)),
        };
        self.text.push_str(&text);
    }
}

impl Rules {
    fn say(self, rule: Broken) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only == rule,
            Self::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Schema, Undeclared, Wording};

    #[test]
    fn shapes_are_told_in_words() {
        for (schema, expected) in [
            (r"{}", "any value"),
            (r"false", "no value"),
            (r#"{"type": "integer"}"#, "a whole number"),
            (
                r#"{"type": "integer", "minimum": 1, "maximum": 100}"#,
                "a whole number from 1 to 100",
            ),
            (
                r#"{"type": "number", "exclusiveMinimum": 0, "maximum": 1, "multipleOf": 0.5}"#,
                "a number of more than 0 and at most 1, a multiple of 0.5",
            ),
            (
                r#"{"type": "integer", "format": "int32"}"#,
                "a whole number that int32 holds",
            ),
            (r#"{"type": ["boolean", "null"]}"#, "true or false or null"),
            (
                r#"{"type": "string", "minLength": 1, "maxLength": 1}"#,
                "a text of 1 character",
            ),
            (
                r#"{"type": "string", "format": "date", "pattern": "^2"}"#,
                r#"a text in the format "date""#,
            ),
            (
                r#"{"type": "string", "format": "team", "pattern": "^2"}"#,
                r#"a text in the format "team" that matches "^2""#,
            ),
            (r#"{"enum": ["a", "b", "c"]}"#, r#""a", "b" or "c""#),
            (
                r#"{"enum": [1, 2], "x-enum-varnames": ["LOW", "HIGH"]}"#,
                "1 (LOW) or 2 (HIGH)",
            ),
            (
                r#"{"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": true}"#,
                "a list of at least 2 items, none of them twice, each a text",
            ),
            (
                r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}]}"#,
                "a list, first a text, then null",
            ),
            (
                r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "null"}}, "required": ["a"]}"#,
                "an object with `a`: a text; `b` if there is one: null",
            ),
            (
                r#"{"anyOf": [{"type": "integer"}, {"type": "object", "maxProperties": 1}]}"#,
                "a whole number, or an object of at most 1 member",
            ),
        ] {
            let schema = Schema::from_text(schema).expect(schema);
            assert_eq!(schema.with_wording(Wording::Plain).expected(), expected);
        }
    }

    #[test]
    fn violations_tell_the_rule_that_is_broken() {
        let schema = r#"{"type": "object", "required": ["n"], "additionalProperties": false, "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "s": {"type": "string", "minLength": 2},
            "l": {"type": "array", "items": {"type": "integer"}, "maxItems": 1}}}"#;
        let schema = Schema::from_text(schema).expect("a schema");
        let plain = schema.with_wording(Wording::Plain);
        let told = |text: &str| {
            let document = llmjson_syntax::parse(text);
            let value = document.root().expect("a value");
            let all = plain.violations(value, Undeclared::Keep);
            all.iter()
                .map(|one| one.expected.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(told(r#"{"n": 0}"#), ["a whole number of at least 1"]);
        assert_eq!(told(r#"{"n": "x"}"#), ["a whole number from 1 to 9"]);
        assert_eq!(
            told(r#"{"n": 1, "s": "a"}"#),
            ["a text of at least 2 characters"]
        );
        assert_eq!(
            told(r#"{"n": 1, "s": 2}"#),
            ["a text of at least 2 characters, or nothing"]
        );
        assert_eq!(
            told(r#"{"n": 1, "l": [1, 2]}"#),
            ["a list of at most 1 item, each a whole number"]
        );
        assert_eq!(told(r#"{"n": 1, "z": 2}"#), ["no value"]);
        assert_eq!(told("{}"), ["a whole number from 1 to 9"]);
        // The schema itself stays as it is, and the other one leads back to it.
        assert!(schema.with_wording(Wording::Tags).is_same(&schema));
    }
}
