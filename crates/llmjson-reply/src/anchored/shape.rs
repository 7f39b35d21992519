//! The form of values in the schema, if a notation writes them in another one: several items in one
//! string, words for nothing, numbers with a decimal comma or a maximum.

use llmjson_syntax::Kind;

use super::place::{Place, Places};
use super::scalars::{self, trimmed};
use super::tree::{Part, Value};

pub(super) struct Shaper<'r, 's> {
    pub(super) text: &'r str,
    pub(super) places: &'r Places<'s>,
    /// A string was split that may equally be one item.
    pub(super) doubtful: bool,
    /// True is written as 1, and false is empty.
    pub(super) digits_for_truth: bool,
}

impl<'s> Shaper<'_, 's> {
    pub(super) fn shape(&mut self, value: Value, place: Place<'s>) -> Value {
        match value {
            Value::List(items) => {
                let (items, place) = (items.into_iter(), place.item());
                Value::List(items.map(|one| self.shape(one, place)).collect())
            }
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, value)| {
                    let inner = self.places.find_name(place, &name, self.text);
                    let inner = inner.unwrap_or_default();
                    (name, self.shape(value, inner))
                });
                Value::Object(members.collect())
            }
            Value::Plain(part) if place.wants_list() => self.split(part, place),
            Value::Plain(part) if place.declares_null() && is_nothing(&self.text[part.clone()]) => {
                Value::Null
            }
            Value::Plain(part) if place.wants_number() => self.number(part),
            value if self.digits_for_truth && place.wants_truth() => match &value {
                Value::Plain(part) if &self.text[part.clone()] == "1" => Value::Made("true".into()),
                Value::Made(made) if made.is_empty() => Value::Made("false".into()),
                _ => value,
            },
            value => value,
        }
    }

    /// A number with a decimal comma, or with a maximum: `3,5`, `4/5`.
    fn number(&mut self, part: Part) -> Value {
        let inner = &self.text[part.clone()];
        // Most numbers are as written.
        if (inner.bytes()).all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Value::Plain(part);
        }
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((whole, fraction)) = inner.split_once(',')
            && digits(whole.trim_start_matches('-'))
            && digits(fraction)
            && fraction.len() != 3
        {
            return Value::Made(format!("{whole}.{fraction}"));
        }
        let sign = ["/", " out of "]
            .iter()
            .find_map(|sign| inner.split_once(sign));
        if let Some((number, most)) = sign
            && digits(number.trim().replacen('.', "", 1).as_str())
            && digits(most.trim())
        {
            self.doubtful = true;
            return Value::Plain(trimmed(self.text, part.start..part.start + number.len()));
        }
        Value::Plain(part)
    }

    /// Items in one string, separated by delimiters.
    fn split(&mut self, part: Part, place: Place<'s>) -> Value {
        let inner = &self.text[part.clone()];
        let item = place.item();
        match inner {
            "null" | "~" => return Value::Null,
            "" | "[]" | "(empty)" => return Value::List(Vec::new()),
            word if is_nothing(word) => return Value::List(Vec::new()),
            _ => {}
        }
        if inner.starts_with(['[', '{', '(']) || item.takes(Kind::Object) && item.has_members() {
            return Value::Plain(part);
        }
        let signs = [";", " | ", "|", ","];
        let Some(sign) = signs.into_iter().find(|sign| inner.contains(sign)) else {
            return Value::List(vec![Value::Plain(part)]);
        };
        // A comma may also occur inside an item.
        self.doubtful |= sign == "," && item.wants_text();
        let mut at = part.start;
        let items = inner.split(sign).map(|one| {
            let end = at + one.len();
            let one = trimmed(self.text, at..end);
            at = end + sign.len();
            // `a, b, and c`
            let and = self.text[one.clone()].strip_prefix("and ");
            and.map_or(one.start, |rest| one.end - rest.len())..one.end
        });
        let items = items.filter(|one| !one.is_empty());
        Value::List(items.map(|one| scalars::read(self.text, one)).collect())
    }
}

/// Returns `true` if a string represents a missing value.
fn is_nothing(text: &str) -> bool {
    matches!(
        text,
        "-" | "—" | "none" | "None" | "N/A" | "n/a" | "(none)" | "null" | "~"
    )
}
