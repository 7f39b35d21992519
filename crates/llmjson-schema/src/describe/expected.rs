//! A schema's expectations, in typia's notation, to which prompts are tuned.
//!
//! For a value of the wrong type, all requirements are listed (`number & Minimum<0> & Maximum<9>`);
//! for one of the right type, only the violated rule (`number & Minimum<0>`). typia writes `tags.`
//! before each rule in the former case; here both look the same. Unlike typia, integers are called
//! `integer`, and objects without a name list their members. The length is bounded. The other
//! wording is in `plain`.

use llmjson_syntax::JsonText;
use serde_json::Value;

use super::plain;
use crate::base::wording::Wording;
use crate::check::keywords::Broken;
use crate::check::text_check::is_checked_format;
use crate::ir::bounds::NumberKeyword;
use crate::ir::literals::Literals;
use crate::ir::shape::{ObjectRules, Shape, ShapeId, Shapes, StringRules, Types, Union};
use crate::ir::spelling::Aliases;

/// Length beyond which strings are abbreviated with an ellipsis.
pub(super) const BYTES: usize = 400;
/// Maximum depth to which inline objects and nested arrays are written out.
pub(super) const DEPTH: u32 = 4;
/// The depth within an array with a violated rule.
const ITEMS_DEPTH: u32 = 2;
/// The expectation where no value is allowed.
const NOTHING: &str = "undefined";

/// Returns all requirements of a shape.
pub(crate) fn whole(shapes: &Shapes, id: ShapeId) -> String {
    if shapes.wording == Wording::Plain {
        return plain::whole(shapes, id);
    }
    let mut writer = ExpectedWriter {
        shapes,
        text: String::new(),
    };
    writer.shape(id, DEPTH, ShapePosition::Alone);
    writer.finish()
}

/// The constants of a list: `"a" | "b"`.
pub(crate) fn literals<'v>(
    values: impl IntoIterator<Item = (&'v Value, Option<&'v str>)>,
) -> String {
    let mut text = String::new();
    for (value, digits) in values {
        if text.len() > BYTES {
            text.push_str(" | …");
            break;
        }
        separate(&mut text, " | ");
        push_value(&mut text, value, digits);
    }
    if text.is_empty() {
        NOTHING.to_owned()
    } else {
        text
    }
}

/// Names as string constants: `"a" | "b"`.
pub(crate) fn names<'n>(wording: Wording, names: impl IntoIterator<Item = &'n str>) -> String {
    let names = names.into_iter();
    match wording {
        Wording::Tags => {
            let values: Vec<Value> = names.map(Value::from).collect();
            literals(values.iter().map(|value| (value, None)))
        }
        Wording::Plain => plain::one_of(names.map(quoted)),
    }
}

/// The expectation where no value is allowed.
pub(crate) fn nothing(shapes: &Shapes) -> &'static str {
    match shapes.wording {
        Wording::Tags => NOTHING,
        Wording::Plain => plain::NOTHING,
    }
}

/// Returns the expectation of a member that may also be omitted.
pub(crate) fn optional(shapes: &Shapes, whole: &str) -> String {
    match shapes.wording {
        Wording::Tags => format!("{whole} | {NOTHING}"),
        Wording::Plain => format!("{whole}, or nothing"),
    }
}

/// Returns the violated rule, or all requirements if it is the type.
pub(crate) fn rule(shapes: &Shapes, id: ShapeId, broken: Broken) -> String {
    let shape = shapes.get(id);
    if shapes.wording == Wording::Plain {
        return plain_rule(shapes, id, broken);
    }
    let base = match broken {
        Broken::Type | Broken::Digits => return whole(shapes, id),
        Broken::Literals if shape.names_numbers() => return whole(shapes, id),
        Broken::Literals => return literals(shape.literals.iter().flat_map(Literals::shown)),
        Broken::Bound(_) | Broken::MultipleOf => number_name(shape.types),
        Broken::Width => "integer",
        Broken::MinLength | Broken::MaxLength | Broken::Pattern | Broken::Format => "string",
        Broken::MinItems | Broken::MaxItems | Broken::UniqueItems => &array(shapes, id),
        Broken::MinProperties | Broken::MaxProperties => "object",
    };
    format!("{base} & {}", tag(shape, broken).unwrap_or_default())
}

fn plain_rule(shapes: &Shapes, id: ShapeId, broken: Broken) -> String {
    let shape = shapes.get(id);
    let kind = match broken {
        Broken::Type | Broken::Digits => return plain::whole(shapes, id),
        Broken::Literals => {
            let values = shape.literals.as_ref();
            return values.map_or_else(String::new, |values| plain::constants(shape, values));
        }
        Broken::Bound(_) | Broken::MultipleOf | Broken::Width => Types::INTEGER,
        Broken::MinLength | Broken::MaxLength | Broken::Pattern | Broken::Format => Types::STRING,
        Broken::MinItems | Broken::MaxItems | Broken::UniqueItems => Types::ARRAY,
        Broken::MinProperties | Broken::MaxProperties => Types::OBJECT,
    };
    plain::only(shapes, id, kind, Some(broken))
}

/// Returns an array without its rules, with its items described in a few words: `Array<string>`.
pub(crate) fn array(shapes: &Shapes, id: ShapeId) -> String {
    if shapes.wording == Wording::Plain {
        return plain::only(shapes, id, Types::ARRAY, None);
    }
    let mut writer = ExpectedWriter {
        shapes,
        text: String::new(),
    };
    writer.items(shapes.get(id), ITEMS_DEPTH);
    writer.finish()
}

/// A rule as a tag with the shape's requirement: `Minimum<0>`. `None` if there is none.
fn tag(shape: &Shape, rule: Broken) -> Option<String> {
    let (number, string) = (shape.number.as_deref(), shape.string.as_deref());
    let (array, object) = (shape.array.as_deref(), shape.object.as_deref());
    let argument = match rule {
        Broken::Type | Broken::Literals | Broken::Digits => return None,
        Broken::Bound(keyword) => number?.bound(keyword)?.text.to_string(),
        Broken::MultipleOf => number?.multiple_of.as_deref()?.to_owned(),
        Broken::Width => return Some(format!("Type<{}>", quoted(width(shape)?))),
        Broken::Format => quoted(string?.format.as_deref()?),
        Broken::Pattern => quoted(string?.pattern.as_deref()?),
        Broken::MinLength => string?.min_length?.to_string(),
        Broken::MaxLength => string?.max_length?.to_string(),
        Broken::MinItems => array?.min_items?.to_string(),
        Broken::MaxItems => array?.max_items?.to_string(),
        Broken::UniqueItems => return array?.unique.then(|| "UniqueItems".to_owned()),
        Broken::MinProperties => object?.min_properties?.to_string(),
        Broken::MaxProperties => object?.max_properties?.to_string(),
    };
    let (first, rest) = rule.keyword().split_at(1);
    Some(format!("{}{rest}<{argument}>", first.to_ascii_uppercase()))
}

/// Returns `true` if strings are checked against a format, which then stands for the pattern next to it: zod writes both.
pub(super) fn has_checked_format(string: &StringRules) -> bool {
    string.format.as_deref().is_some_and(is_checked_format)
}

/// Returns a part of a schema as compact JSON, for keywords without an equivalent in words.
pub(crate) fn source(value: &Value) -> String {
    let mut text = String::new();
    push_value(&mut text, value, None);
    text
}

fn number_name(types: Types) -> &'static str {
    if types.has(Types::NUMBER) {
        "number"
    } else {
        "integer"
    }
}

/// The name of the width that a number has to fit: `int32`.
pub(super) fn width(shape: &Shape) -> Option<&str> {
    Some(&shape.number.as_deref()?.width.as_ref()?.0)
}

/// Returns the name of an allowed value, if the value itself is not a name.
pub(super) fn alias<'a>(value: &Value, names: &'a Aliases) -> Option<&'a str> {
    // A number does not show its meaning.
    if value.is_string() || names.is_empty() {
        return None;
    }
    let written = value.to_string();
    let name = names.iter().find(|(_, of)| **of == *written);
    name.map(|(name, _)| &**name)
}

pub(super) fn quoted(text: &str) -> String {
    JsonText::of(cut(text, BYTES))
}

/// Writes a value, including the digits of a number that a `Value` cannot hold.
pub(super) fn push_value(text: &mut String, value: &Value, digits: Option<&str>) {
    match value {
        Value::String(string) => text.push_str(&quoted(string)),
        Value::Array(_) | Value::Object(_) => {
            let json = value.to_string();
            let short = cut(&json, BYTES / 2);
            text.push_str(short);
            if short.len() < json.len() {
                text.push('…');
            }
        }
        scalar => match digits {
            Some(digits) => text.push_str(digits),
            None => text.push_str(&scalar.to_string()),
        },
    }
}

/// Returns the beginning of a string, at most that many bytes.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

fn separate(text: &mut String, separator: &str) {
    if !text.is_empty() {
        text.push_str(separator);
    }
}

/// The position of a shape in the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShapePosition {
    Alone,
    /// A place in a union or next to other parts, where anything other than a name or a constant is
    /// parenthesized.
    Inside,
}

struct ExpectedWriter<'s> {
    shapes: &'s Shapes,
    text: String,
}

impl ExpectedWriter<'_> {
    fn finish(mut self) -> String {
        if self.text.len() > BYTES {
            self.text.truncate(self.text.floor_char_boundary(BYTES));
            self.text.push('…');
        }
        self.text
    }

    fn is_full(&self) -> bool {
        self.text.len() > BYTES
    }

    /// Writes a shape.
    fn shape(&mut self, id: ShapeId, depth: u32, position: ShapePosition) {
        if self.is_full() {
            return;
        }
        let shape = self.shapes.get(id);
        if let Some(literals) = &shape.literals {
            self.literals(literals, &shape.aliases);
            return;
        }
        let is_compound = shape.object.is_some() || !shape.is_alone();
        if let Some(name) = shape.name.as_ref().filter(|_| is_compound) {
            self.text.push_str(cut(name, BYTES));
            return;
        }
        if depth == 0 {
            self.text.push('…');
            return;
        }
        let parts: Vec<ShapeId> = shape.also.clone();
        let speaks = shape.types != Types::ALL || shape.has_rules();
        if let Some(union) = &shape.union {
            self.union(union, depth);
        } else if speaks || parts.is_empty() {
            self.types(
                shape,
                depth,
                match parts.is_empty() {
                    true => position,
                    false => ShapePosition::Inside,
                },
            );
        }
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 || speaks || shape.union.is_some() {
                self.text.push_str(" & ");
            }
            self.shape(part, depth - 1, ShapePosition::Inside);
        }
    }

    fn literals(&mut self, values: &Literals, names: &Aliases) {
        if values.is_empty() {
            self.text.push_str(NOTHING);
        }
        for (at, (value, digits)) in values.shown().enumerate() {
            if at > 0 {
                self.text.push_str(" | ");
            }
            if self.is_full() {
                return;
            }
            push_value(&mut self.text, value, digits);
            if let Some(name) = alias(value, names).filter(|name| !name.contains("*/")) {
                self.text
                    .push_str(&format!(" /* {} */", cut(name, BYTES / 4)));
            }
        }
    }

    fn union(&mut self, union: &Union, depth: u32) {
        for (at, branch) in union.branches.iter().enumerate() {
            if at > 0 {
                self.text.push_str(" | ");
            }
            if self.is_full() {
                return;
            }
            self.shape(*branch, depth - 1, ShapePosition::Inside);
        }
    }

    fn types(&mut self, shape: &Shape, depth: u32, position: ShapePosition) {
        if shape.types == Types::ALL && !shape.has_rules() {
            self.text.push_str("any");
            return;
        }
        if shape.types == Types::NONE {
            self.text.push_str(NOTHING);
            return;
        }
        let kinds = [
            Types::NULL,
            Types::BOOLEAN,
            Types::INTEGER,
            Types::STRING,
            Types::ARRAY,
            Types::OBJECT,
        ];
        let present = kinds.iter().filter(|kind| shape.types.has(**kind));
        let several = position == ShapePosition::Inside || present.clone().count() > 1;
        for (at, kind) in present.enumerate() {
            if at > 0 {
                self.text.push_str(" | ");
            }
            // `(string & MinLength<1>) | null`, in typia's notation.
            let parenthesis = several && *kind != Types::NULL;
            self.text.push_str(if parenthesis { "(" } else { "" });
            self.kind(shape, *kind, depth);
            self.text.push_str(if parenthesis { ")" } else { "" });
        }
    }

    fn kind(&mut self, shape: &Shape, kind: Types, depth: u32) {
        match kind {
            Types::NULL => self.text.push_str("null"),
            Types::BOOLEAN => self.text.push_str("boolean"),
            Types::INTEGER => {
                self.text.push_str(number_name(shape.types));
                // A model is shown the bounds of a number even if only its type is wrong, so that
                // the next one satisfies them.
                let bounds = NumberKeyword::ALL.map(Broken::Bound);
                self.tags(shape, &[Broken::Width]);
                self.tags(shape, &bounds);
                self.tags(shape, &[Broken::MultipleOf]);
            }
            Types::STRING => {
                self.text.push_str("string");
                self.tags(shape, &[Broken::Format]);
                if !(shape.string.as_deref()).is_some_and(has_checked_format) {
                    self.tags(shape, &[Broken::Pattern]);
                }
                self.tags(shape, &[Broken::MinLength, Broken::MaxLength]);
            }
            Types::ARRAY => self.array(shape, depth),
            _ => match (&shape.name, &shape.object) {
                (Some(name), _) => self.text.push_str(cut(name, BYTES)),
                (None, Some(rules)) => self.object(rules, depth),
                (None, None) => self.text.push_str("object"),
            },
        }
    }

    fn array(&mut self, shape: &Shape, depth: u32) {
        self.items(shape, depth);
        self.tags(
            shape,
            &[Broken::MinItems, Broken::MaxItems, Broken::UniqueItems],
        );
    }

    fn items(&mut self, shape: &Shape, depth: u32) {
        let Some(rules) = &shape.array else {
            self.text.push_str("Array<any>");
            return;
        };
        if rules.prefix.is_empty() {
            self.text.push_str("Array<");
            match rules.items {
                Some(items) => self.shape(items, depth - 1, ShapePosition::Alone),
                None => self.text.push_str("any"),
            }
            self.text.push('>');
        } else {
            self.text.push('[');
            for (at, item) in rules.prefix.iter().enumerate() {
                self.text.push_str(if at > 0 { ", " } else { "" });
                self.shape(*item, depth - 1, ShapePosition::Alone);
            }
            self.text.push(']');
        }
    }

    fn object(&mut self, rules: &ObjectRules, depth: u32) {
        if rules.properties.is_empty() {
            self.text.push_str("object");
            return;
        }
        self.text.push('{');
        for (at, property) in rules.properties.iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.text.push_str(if at > 0 { "; " } else { " " });
            let mark = if property.required { "" } else { "?" };
            self.text
                .push_str(&format!("{}{mark}: ", cut(&property.name, BYTES)));
            self.shape(property.shape, depth - 1, ShapePosition::Alone);
        }
        self.text.push_str(" }");
    }

    fn tags(&mut self, shape: &Shape, rules: &[Broken]) {
        for tag in rules.iter().filter_map(|rule| tag(shape, *rule)) {
            self.text.push_str(" & ");
            self.text.push_str(&tag);
        }
    }
}
