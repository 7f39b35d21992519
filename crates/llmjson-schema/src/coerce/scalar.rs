//! Conversions of one scalar to another.

use llmjson_syntax::{Class, Kind, NodeId};
use serde_json::Value;

use super::forms::{is_only_truth, number};
use super::rules::SCALAR_RULES;
use super::state::{Call, Coercer, Outcome, Read};
use crate::base::report::CoercionKind;
use crate::ir::names::fold::normal_value;
use crate::ir::shape::{Shape, ShapeId, StringRules, Types};
use crate::ir::spelling::Spelled;

/// Maximum length of a string that is read as a number or constant.
const SCALAR_BYTES_MAX: usize = 4096;

/// The meaning of a string, apart from being a string.
#[derive(Debug, PartialEq)]
enum ScalarReading {
    Number(String),
    Boolean(bool),
    Null,
}

/// The meaning of a string at a place.
enum Said {
    Scalar(CoercionKind, ScalarReading),
    Allowed(Spelled),
}

/// Returns the meaning of a whole trimmed string if one of the `wanted` types is expected.
/// `possible` are the types allowed at the place, including other branches of a union.
fn reading(text: &str, wanted: Types, possible: Types) -> Option<(CoercionKind, ScalarReading)> {
    if wanted.meets(Types::NUMBER) {
        if is_json_number(text) {
            let number = ScalarReading::Number(text.to_owned());
            return Some((CoercionKind::TextToNumber, number));
        }
        if let Some(number) = number::plain(text) {
            let number = ScalarReading::Number(number);
            return Some((CoercionKind::TextToNumber, number));
        }
        // `"1,234"` is 1234, or 1.234 with a decimal comma: a single group is a guess.
        if let Some((kind, number)) = number::grouped(text) {
            return Some((kind, ScalarReading::Number(number)));
        }
    }
    // `"n"` means no, or nothing: if both null and a boolean are allowed, it is unchanged.
    let is_either = possible.has(Types::BOOLEAN.or(Types::NULL));
    let (_, kind, truth) = WORDS.iter().find(|(word, _, truth)| {
        let type_ = truth.map_or(Types::NULL, |_| Types::BOOLEAN);
        wanted.meets(type_) && text.eq_ignore_ascii_case(word) && !(*word == "n" && is_either)
    })?;
    let reading = truth.map_or(ScalarReading::Null, ScalarReading::Boolean);
    Some((*kind, reading))
}

/// Returns `true` if a string is a JSON number without an exponent, as most numbers in strings are.
fn is_json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_run = |run: &str| !run.is_empty() && run.bytes().all(|byte| byte.is_ascii_digit());
    is_run(whole) && is_run(fraction) && (whole == "0" || !whole.starts_with('0'))
}

/// Returns `true` if strings at a place are known to be decimal numbers.
fn is_decimal(shape: &Shape) -> bool {
    shape.string.as_deref().is_some_and(StringRules::is_decimal)
}

/// Words that may form a whole string, with their booleans, or null without one. They include the
/// words of YAML and Python.
const WORDS: [(&str, CoercionKind, Option<bool>); 12] = [
    ("true", CoercionKind::TextToBoolean, Some(true)),
    ("false", CoercionKind::TextToBoolean, Some(false)),
    ("yes", CoercionKind::WordToBoolean, Some(true)),
    ("y", CoercionKind::WordToBoolean, Some(true)),
    ("on", CoercionKind::WordToBoolean, Some(true)),
    ("no", CoercionKind::WordToBoolean, Some(false)),
    ("off", CoercionKind::WordToBoolean, Some(false)),
    ("n", CoercionKind::WordToBoolean, Some(false)),
    ("null", CoercionKind::TextToNull, None),
    ("none", CoercionKind::WordToNull, None),
    ("nil", CoercionKind::WordToNull, None),
    ("n", CoercionKind::WordToNull, None),
];

impl<'c> Coercer<'c, '_> {
    /// Reads a scalar as another one that the shape accepts.
    pub(super) fn scalar(&mut self, call: Call, shape: &Shape) -> Option<Outcome> {
        let wanted = shape.types.and(call.mask);
        let found = Types::of_value(self.value(call.node));
        let mut rules = SCALAR_RULES.iter();
        let (kind, class, node) = rules.find_map(|row| {
            let rule = &row.rule;
            let is_tried = rule.reads(found, wanted) && rule.is_open(&call, self.options);
            is_tried.then(|| (row.read)(self, call, shape, wanted))?
        })?;
        let value = self.value(node);
        let sure = self.is_settled(node, call.shape);
        if !self.options.allows_as(kind, class) || !(sure || shape.agrees(value)) {
            return None;
        }
        let outcome = Outcome {
            conforms: sure || shape.is_within_bounds(value),
            ..Outcome::agreeing(node)
        };
        Some(self.changed(kind, class, call.node, outcome))
    }

    /// `3.0` is 3, and `1e3` is 1000. Nothing is rounded.
    pub(super) fn whole(&mut self, call: Call, _: &Shape, _: Types) -> Option<Read> {
        let value = self.value(call.node);
        let text = value.as_number().filter(|_| !value.is_integer_text())?;
        let whole = number::integral(text)?;
        let kind = CoercionKind::IntegralFloat;
        Some((kind, kind.class(), self.editor.number(&whole)?))
    }

    pub(super) fn number_as_text(&mut self, call: Call, _: &Shape, _: Types) -> Option<Read> {
        let kind = CoercionKind::NumberToText;
        let node = self.editor.number_as_string(call.node);
        Some((kind, kind.class(), node))
    }

    pub(super) fn truth_as_text(&mut self, call: Call, _: &Shape, _: Types) -> Option<Read> {
        let kind = CoercionKind::BooleanToText;
        let truth = self.value(call.node).as_bool() == Some(true);
        let node = self.editor.string(if truth { "true" } else { "false" });
        Some((kind, kind.class(), node))
    }

    /// `{"a": 1}` where a string of JSON is expected, according to `contentMediaType`.
    pub(super) fn json_text(&mut self, call: Call, shape: &Shape, _: Types) -> Option<Read> {
        let kind = CoercionKind::ContainerToText;
        let holds_json = shape.string.as_ref().is_some_and(|rules| rules.holds_json);
        if !holds_json && !self.options.containers_as_text {
            return None;
        }
        let value = self.value(call.node);
        let lines = value.items().map(|item| item.as_str());
        let lines: Option<Vec<_>> = lines.collect();
        let text = match lines.filter(|lines| !holds_json && !lines.is_empty()) {
            Some(lines) => lines.join("\n"),
            None => value.to_json(),
        };
        Some((kind, kind.class(), self.editor.string(&text)))
    }

    pub(super) fn text(&mut self, call: Call, shape: &Shape, wanted: Types) -> Option<Read> {
        let mut node = call.node;
        // `"\"42\""`: each pass removes one pair of quotes.
        for _ in 0..=self.options.text_levels {
            let text = self.value(node).as_str()?;
            let text = text.trim();
            if text.len() > SCALAR_BYTES_MAX {
                return None;
            }
            let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
            if let Some(said) = self.said(call, wanted, text) {
                return self.write_said(said, shape, wanted);
            }
            // A scalar that was JSON-encoded more than once has its own quotes.
            if !is_quoted {
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

    /// Returns the scalar or allowed value that a whole string represents.
    fn said(&self, call: Call, mut wanted: Types, text: &str) -> Option<Said> {
        // Comparing a number of a million digits with bounds would take quadratic time.
        if self.options.limits.has_too_many_digits(text) {
            wanted = Types(wanted.0 & !Types::NUMBER.0);
        }
        let said =
            reading(text, wanted, call.mask).map(|(kind, reading)| Said::Scalar(kind, reading));
        let member = || self.editor.document().name_read(call.node);
        said.or_else(|| {
            self.spelling(call.shape, text, &member())
                .map(Said::Allowed)
        })
    }

    fn write_said(&mut self, said: Said, shape: &Shape, wanted: Types) -> Option<Read> {
        match said {
            Said::Scalar(kind, reading) => {
                let node = match reading {
                    // As a string it keeps all its digits for every reader.
                    ScalarReading::Number(number)
                        if wanted.meets(Types::STRING) && is_decimal(shape) =>
                    {
                        self.editor.string(&number)
                    }
                    reading => self.write(reading, wanted)?,
                };
                Some((kind, kind.class(), node))
            }
            Said::Allowed(found) => {
                let literals = shape.literals.as_deref()?;
                let node = self.constant(literals.get(found.at as usize)?)?;
                Some((found.kind, found.class, node))
            }
        }
    }

    /// Reads a whole string as the scalar or allowed value that it represents.
    pub(super) fn read_said(
        &mut self,
        call: Call,
        shape: &Shape,
        wanted: Types,
        text: &str,
    ) -> Option<Read> {
        let said = self.said(call, wanted, text)?;
        self.write_said(said, shape, wanted)
    }

    /// `73,2` without brackets where one number is expected: a decimal comma.
    pub(super) fn comma_in_number(&mut self, call: Call, _: &Shape, wanted: Types) -> Option<Read> {
        let list = self.value(call.node);
        let (first, last) = (list.item(0)?.span()?, list.item(1)?.span()?);
        // In brackets it would begin before its first item.
        if list.len() != 2 || list.span()?.start != first.start {
            return None;
        }
        let text = self.editor.document().text();
        let text = text.get(first.start as usize..last.end as usize)?;
        let (kind, number) = number::with_comma(text)?;
        let node = self.write(ScalarReading::Number(number), wanted)?;
        Some((kind, Class::Guess, node))
    }

    fn write(&mut self, reading: ScalarReading, wanted: Types) -> Option<NodeId> {
        match reading {
            ScalarReading::Null => Some(self.editor.null()),
            ScalarReading::Boolean(truth) => Some(self.editor.boolean(truth)),
            ScalarReading::Number(text) if wanted.has(Types::NUMBER) => self.editor.number(&text),
            ScalarReading::Number(text) => self.editor.number(&number::integral(&text)?),
        }
    }

    /// Returns the enumerated value of which the value of a member is an alias or another spelling,
    /// if there is exactly one.
    pub(super) fn spelling(&self, id: ShapeId, text: &str, member: &str) -> Option<Spelled> {
        let shape = self.shapes.get(id);
        let literals = shape.literals.as_ref()?;
        let spellings = literals.spellings(&shape.aliases);
        if let Some(found) = spellings.find(text, literals) {
            return Some(found);
        }
        // `Sentiment.NEGATIVE`, as programs print enum members: the type has the name of the schema
        // or of the member.
        let bare = match text
            .strip_prefix('<')
            .and_then(|text| text.strip_suffix('>'))
        {
            Some(inner) => inner.split(':').next()?.trim_end(),
            None => text,
        };
        let (class, constant) = bare.rsplit_once('.')?;
        let class = normal_value(class.rsplit('.').next()?);
        let tree = &self.compiled.tree;
        let title = tree
            .member(shape.node, "title")
            .and_then(|title| tree.text(title));
        let mut names = shape
            .name
            .as_deref()
            .into_iter()
            .chain(title)
            .chain([member]);
        let kind = CoercionKind::EnumSpelling;
        names
            .any(|name| normal_value(name) == class)
            .then_some(())?;
        let found = spellings.find(constant, literals)?;
        Some(Spelled {
            kind,
            class: found.class.max(kind.class()),
            ..found
        })
    }

    /// An enumerated value.
    pub(super) fn constant(&mut self, value: &Value) -> Option<NodeId> {
        match value {
            Value::String(text) => Some(self.editor.string(text)),
            Value::Number(number) => self.editor.number(&number.to_string()),
            Value::Bool(truth) => Some(self.editor.boolean(*truth)),
            _ => None,
        }
    }

    /// 0 or 1 where only a boolean is allowed.
    pub(super) fn truth_in_number(&mut self, call: Call, shape: &Shape, _: Types) -> Option<Read> {
        let truth = match self.value(call.node).as_number()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        is_only_truth(call, shape).then(|| {
            (
                CoercionKind::WordToBoolean,
                Class::Guess,
                self.editor.boolean(truth),
            )
        })
    }
}
