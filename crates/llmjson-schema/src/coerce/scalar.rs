//! Conversion of one scalar into another.

use llmjson_syntax::{Class, Kind, NodeId};

use super::number;
use super::walk::{Call, Coercer, Outcome};
use crate::base::report::CoercionKind;
use crate::ir::shape::{Shape, ShapeId, Types};
use crate::ir::spelling::Spelled;

/// The longest text that is looked at as a number or constant.
const SCALAR_BYTES_MAX: usize = 4096;

/// The meaning of a text, apart from being a text.
#[derive(Debug, PartialEq)]
enum ScalarReading {
    Number(String),
    Boolean(bool),
    Null,
}

/// Returns the meaning of a whole trimmed text if one of the `wanted` types is expected. `possible`
/// are the types that the place could take, other branches of a union included.
fn reading(text: &str, wanted: Types, possible: Types) -> Option<(CoercionKind, ScalarReading)> {
    if wanted.meets(Types::NUMBER) {
        if let Some(number) = number::plain(text) {
            let number = ScalarReading::Number(number.into_owned());
            return Some((CoercionKind::TextToNumber, number));
        }
        // `"1,234"` is 1234, or 1.234 where the comma is the decimal sign: a single group is a guess.
        if let Some(grouped) = number::grouped(text) {
            let kind = if grouped.ambiguous {
                CoercionKind::GroupedNumberGuess
            } else {
                CoercionKind::GroupedNumber
            };
            return Some((kind, ScalarReading::Number(grouped.number)));
        }
    }
    if text.len() > 5 {
        return None;
    }
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let either = possible.meets(Types::BOOLEAN) && possible.meets(Types::NULL);
    if wanted.meets(Types::BOOLEAN) {
        if is(&["true", "false"]) {
            return Some((
                CoercionKind::TextToBoolean,
                ScalarReading::Boolean(is(&["true"])),
            ));
        }
        // `"n"` is no, or nothing: where both null and a boolean may stand, it is left alone.
        if is(&["yes", "y", "on", "no", "off"]) || (is(&["n"]) && !either) {
            let truth = is(&["yes", "y", "on"]);
            return Some((CoercionKind::WordToBoolean, ScalarReading::Boolean(truth)));
        }
    }
    if wanted.meets(Types::NULL) {
        if is(&["null"]) {
            return Some((CoercionKind::TextToNull, ScalarReading::Null));
        }
        if is(&["none", "nil"]) || (is(&["n"]) && !either) {
            return Some((CoercionKind::WordToNull, ScalarReading::Null));
        }
    }
    None
}

impl<'c> Coercer<'c, '_> {
    /// Reads a scalar as another one that the shape takes.
    pub(super) fn scalar(&mut self, call: Call, shape: &Shape) -> Option<Outcome> {
        let wanted = shape.types.and(call.mask);
        let usual = |(kind, node): (CoercionKind, NodeId)| (kind, kind.class(), node);
        let (kind, class, node) = match self.value(call.node).kind() {
            Kind::String => match self.text(call, wanted) {
                Some(read) => read,
                None => match self.form(call, shape, wanted) {
                    Some(read) => read,
                    None => self.prose(call, shape, wanted)?,
                },
            },
            // `1746093600` where a date-time is expected.
            Kind::Number => match self.time_in_number(call.node, shape) {
                Some(read) if wanted.meets(Types::STRING) => read,
                _ => usual(self.number(call.node, wanted)?),
            },
            Kind::Bool if wanted.meets(Types::STRING) => {
                let truth = self.value(call.node).as_bool() == Some(true);
                let node = self.editor.string(if truth { "true" } else { "false" });
                usual((CoercionKind::BooleanToText, node))
            }
            // `{"a": 1}` where a text is expected that holds JSON, as `contentMediaType` says.
            Kind::Array | Kind::Object if wanted.meets(Types::STRING) => {
                let holds_json = shape.string.as_ref().is_some_and(|rules| rules.holds_json);
                if !holds_json && !self.options.containers_as_text {
                    return None;
                }
                let text = self.value(call.node).to_json();
                usual((CoercionKind::ContainerToText, self.editor.string(&text)))
            }
            _ => return None,
        };
        let value = self.value(node);
        let sure = self.is_settled(node, call.shape);
        if !self.options.allows_as(kind, class) || !(sure || shape.agrees(value)) {
            return None;
        }
        let outcome = Outcome {
            conforms: sure || shape.is_within_bounds(value),
            ..Outcome::agreeing(node)
        };
        Some(self.changed_as(kind, class, call.node, outcome))
    }

    /// An allowed value among other words, on request.
    fn prose(
        &mut self,
        call: Call,
        shape: &Shape,
        wanted: Types,
    ) -> Option<(CoercionKind, Class, NodeId)> {
        let kind = CoercionKind::ValueFromProse;
        if !self.options.allows(kind) {
            return None;
        }
        let node = self.value_in_prose(call, shape, wanted)?;
        Some((kind, kind.class(), node))
    }

    fn number(&mut self, node: NodeId, wanted: Types) -> Option<(CoercionKind, NodeId)> {
        if wanted.meets(Types::INTEGER) && !self.value(node).is_integer_text() {
            // `3.0` is 3, and `1e3` is 1000. Nothing is rounded.
            let whole = self.value(node).as_number().and_then(number::integral);
            if let Some(whole) = whole {
                return Some((CoercionKind::IntegralFloat, self.editor.number(&whole)?));
            }
        }
        wanted.meets(Types::STRING).then(|| {
            (
                CoercionKind::NumberToText,
                self.editor.number_as_string(node),
            )
        })
    }

    fn text(&mut self, call: Call, wanted: Types) -> Option<(CoercionKind, Class, NodeId)> {
        let mut node = call.node;
        for _ in 0..=self.options.text_levels {
            let text = self.value(node).as_str()?;
            let text = text.trim();
            if text.len() > SCALAR_BYTES_MAX {
                return None;
            }
            let mut wanted = wanted;
            // A number with a million digits would take quadratic time to be compared with bounds.
            if self.options.limits.has_too_many_digits(text) {
                wanted = Types(wanted.0 & !Types::NUMBER.0);
            }
            if let Some((kind, reading)) = reading(text, wanted, call.mask) {
                return Some((kind, kind.class(), self.write(reading, wanted)?));
            }
            if wanted.meets(Types::STRING)
                && let Some((found, spelling)) = self.spelling(call.shape, text)
            {
                return Some((found.kind, found.class, self.editor.string(spelling)));
            }
            // A scalar that was written as JSON more than once stands in quotes of its own.
            if text.len() < 2 || !text.starts_with('"') || !text.ends_with('"') {
                return None;
            }
            let inner = self.inner(node, call.depth)?;
            if !inner.whole || !inner.sound || self.value(inner.root).kind() != Kind::String {
                return None;
            }
            node = inner.root;
        }
        None
    }

    fn write(&mut self, reading: ScalarReading, wanted: Types) -> Option<NodeId> {
        match reading {
            ScalarReading::Null => Some(self.editor.null()),
            ScalarReading::Boolean(truth) => Some(self.editor.boolean(truth)),
            ScalarReading::Number(text) if wanted.has(Types::NUMBER) => self.editor.number(&text),
            ScalarReading::Number(text) => self.editor.number(&number::integral(&text)?),
        }
    }

    /// The enumerated text of which this is an alias or another spelling, if there is exactly one.
    fn spelling(&self, id: ShapeId, text: &str) -> Option<(Spelled, &'c str)> {
        let shape = self.shapes.get(id);
        let literals = shape.literals.as_ref()?;
        let found = literals.spellings(shape).find(text, literals)?;
        Some((found, literals[found.at as usize].as_str()?))
    }
}
