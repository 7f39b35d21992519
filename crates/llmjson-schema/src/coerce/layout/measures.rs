//! Choices that are marked in an object, and bounds and amounts that stand in one text: `{"high": true, "low": false}`,
//! `"1-5"`, `"12.50 EUR"`.

use llmjson_syntax::{Class, Kind, NewKey, NodeId};

use crate::coerce::forms::number;
use crate::coerce::state::{CONTAINERS, Call, Coercer, Laid};
use crate::ir::names::fold::normal_key;
use crate::ir::shape::{ObjectRules, ShapeId, Types};

/// Names of the two ends of a range, in their normal form.
const ENDS: [(&str, &str); 8] = [
    ("min", "max"),
    ("minimum", "maximum"),
    ("from", "to"),
    ("start", "end"),
    ("low", "high"),
    ("lower", "upper"),
    ("begin", "end"),
    ("first", "last"),
];

/// Words between the ends of a range.
const BETWEEN: [&str; 5] = [" to ", "–", "—", "..", "-"];

/// Names of what an amount is counted in, in their normal form.
const UNITS: [&str; 6] = [
    "currency",
    "currencycode",
    "unit",
    "units",
    "unitofmeasure",
    "uom",
];

/// Maximum number of members of an object that marks choices.
const MARKED_MAX: usize = 256;

impl Coercer<'_, '_> {
    /// `{"positive": true, "negative": false}` for `"positive"`
    pub(super) fn only_true(&mut self, call: Call) -> Option<Laid> {
        let chosen = self.marked_true(call, call.shape)?;
        let [only] = &chosen[..] else {
            return None;
        };
        Some((self.editor.string(only), Class::Likely))
    }

    /// `{"a": true, "b": false, "c": true}` for `["a", "c"]`
    pub(super) fn all_true(&mut self, call: Call) -> Option<Laid> {
        let item = self.shapes.get(call.shape).array.as_deref()?.item(0)?;
        let chosen = self.marked_true(call, item)?;
        let items: Vec<_> = chosen.iter().map(|one| self.editor.string(one)).collect();
        Some((self.editor.array(&items), Class::Likely))
    }

    /// The names of allowed values of a shape that an object of nothing else marks with `true`.
    fn marked_true(&self, call: Call, shape: ShapeId) -> Option<Vec<String>> {
        let literals = self.shapes.get(shape).literals.as_ref()?;
        let value = self.value(call.node);
        let mut chosen = Vec::new();
        if value.is_empty() || value.len() > MARKED_MAX {
            return None;
        }
        for (name, one) in value.members() {
            let truth = Some(one)
                .filter(|one| one.kind() == Kind::Bool)?
                .as_bool()?;
            if !literals.has_text(&name) {
                return None;
            }
            if truth {
                chosen.push(name.into_owned());
            }
        }
        Some(chosen)
    }

    /// `[1, 5]` for `{"min": 1, "max": 5}`
    pub(super) fn bounds_of_two(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let (low, high) = self.ends(rules)?;
        let value = self.value(call.node);
        let [one, other] = [value.item(0)?, value.item(1)?];
        let is_range = one.as_f64()? <= other.as_f64()? && value.len() == 2;
        let members = [
            (NewKey::Text(low), one.id()),
            (NewKey::Text(high), other.id()),
        ];
        is_range.then(|| (self.editor.object(&members), Class::Likely))
    }

    /// `"1-5"` for `{"min": 1, "max": 5}`, `"12.50 EUR"` for `{"amount": 12.5, "currency": "EUR"}`
    pub(super) fn parts_of_text(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        if call.mask.meets(Types::STRING) {
            return None;
        }
        let text = self.value(call.node).as_str()?.trim().to_owned();
        if let Some((low, high)) = self.ends(rules) {
            let (one, other) = (BETWEEN.iter()).find_map(|sign| text.split_once(sign))?;
            let [one, other] = [number::plain(one.trim())?, number::plain(other.trim())?];
            let is_range = one.parse::<f64>().ok()? <= other.parse::<f64>().ok()?;
            let [one, other] = [self.editor.number(&one)?, self.editor.number(&other)?];
            let members = [(NewKey::Text(low), one), (NewKey::Text(high), other)];
            return is_range.then(|| (self.editor.object(&members), Class::Likely));
        }
        let (amount, unit) = self.amount(rules)?;
        let (one, other) = text.split_once(' ')?;
        let is_word = |text: &str| {
            text.chars()
                .all(|letter| letter.is_alphabetic() || "°%/²³".contains(letter))
        };
        // `EUR 12.50` and `12.50 EUR`; a currency may ask for its code.
        let is_code =
            |text: &str| text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase());
        let is_unit = |text: &str| match normal_key(unit).starts_with("currency") {
            true => is_code(text),
            false => is_word(text),
        };
        let parts = [(one, other), (other, one)];
        let (number, unit_of) = parts.into_iter().find_map(|(number, unit)| {
            let number = number::plain(number.trim())?;
            is_unit(unit.trim()).then(|| (number.into_owned(), unit.trim().to_owned()))
        })?;
        let nodes: [NodeId; 2] = [self.editor.number(&number)?, self.editor.string(&unit_of)];
        let members = [
            (NewKey::Text(amount), nodes[0]),
            (NewKey::Text(unit), nodes[1]),
        ];
        Some((self.editor.object(&members), Class::Likely))
    }

    /// The names of the ends of a range, where an object is nothing but one.
    fn ends<'r>(&self, rules: &'r ObjectRules) -> Option<(&'r str, &'r str)> {
        let [one, other] = self.two(rules)?;
        let is = |name: &str, end: &str| {
            let name = normal_key(name);
            name == end || name.strip_suffix("value") == Some(end)
        };
        let ends = [(one, other), (other, one)];
        let (low, high) = ends.into_iter().find(|(one, other)| {
            let mut ends = ENDS.iter();
            ends.any(|(low, high)| is(one, low) && is(other, high))
        })?;
        let are_numbers = rules.properties.iter().all(|one| {
            let types = self.shapes.types_of(one.shape);
            types.meets(Types::NUMBER) && !types.meets(CONTAINERS.or(Types::STRING))
        });
        are_numbers.then_some((low, high))
    }

    /// The names of a number and of what it counts, where an object is nothing but these.
    fn amount<'r>(&self, rules: &'r ObjectRules) -> Option<(&'r str, &'r str)> {
        let [one, other] = self.two(rules)?;
        let of = |at: usize| self.shapes.types_of(rules.properties[at].shape);
        let is_unit = |name: &str| UNITS.contains(&&*normal_key(name));
        match (is_unit(one), is_unit(other)) {
            (false, true) if of(0).meets(Types::NUMBER) && of(1).meets(Types::STRING) => {
                Some((one, other))
            }
            (true, false) if of(1).meets(Types::NUMBER) && of(0).meets(Types::STRING) => {
                Some((other, one))
            }
            _ => None,
        }
    }

    /// The names of the members of an object that declares two and requires them.
    fn two<'r>(&self, rules: &'r ObjectRules) -> Option<[&'r str; 2]> {
        match &rules.properties[..] {
            [one, other] if one.required && other.required => Some([&*one.name, &*other.name]),
            _ => None,
        }
    }
}
