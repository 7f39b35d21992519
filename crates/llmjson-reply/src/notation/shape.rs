//! The layout of a value in the schema, if a notation writes it in another one: arrays of
//! one-member objects for objects, several items in one string, an element around an array's items.

use llmjson_schema::internal::similar::normal_name;
use llmjson_syntax::Kind;

use super::DEPTH;
use super::place::{Place, Places};
use super::scalars::{Spelling, trimmed};
use super::tree::{Member, Name, Part, Seen, Value, add};

pub(super) struct Shaper<'r, 's> {
    pub(super) text: &'r str,
    pub(super) places: &'r Places<'s>,
    /// A string was split that may equally be one item.
    pub(super) doubtful: bool,
    /// True is written as 1, and false is empty.
    pub(super) digits_for_truth: bool,
}

impl<'s> Shaper<'_, 's> {
    pub(super) fn shape(&mut self, value: Value, place: Place<'s>, depth: usize) -> Value {
        if depth > DEPTH {
            return value;
        }
        match value {
            Value::List(items) if place.wants_object() => self.merged(items, place, depth),
            Value::List(items) => self.list(items, place, depth),
            Value::Object(members) if place.wants_list() => self.unwrapped(members, place, depth),
            Value::Object(members) => self.object(members, place, depth),
            Value::Plain(part) if place.wants_list() => self.split(part, place),
            Value::Plain(part) if place.declares_null() && is_nothing(&self.text[part.clone()]) => {
                Value::Null
            }
            Value::Plain(part) if place.wants_number() => self.number(part),
            value if self.digits_for_truth && place.wants_truth() => match &value {
                Value::Plain(part) if &self.text[part.clone()] == "1" => Value::Bool(true),
                Value::Made(made) if made.is_empty() => Value::Bool(false),
                _ => value,
            },
            value => value,
        }
    }

    /// A number with a decimal comma, or with a maximum: `3,5`, `4/5`.
    fn number(&mut self, part: Part) -> Value {
        let inner = &self.text[part.clone()];
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

    fn list(&mut self, items: Vec<Value>, place: Place<'s>, depth: usize) -> Value {
        let item = place.item();
        let items = items.into_iter();
        let items = items.map(|one| self.shape(one, item, depth + 1));
        Value::List(items.collect())
    }

    fn object(&mut self, members: Vec<Member>, place: Place<'s>, depth: usize) -> Value {
        let members = members.into_iter().map(|(name, value)| {
            let inner = self.places.member(place, name.of(self.text));
            (name, self.shape(value, inner, depth + 1))
        });
        Value::Object(members.collect())
    }

    /// One object written as an array of objects without common keys: `- name: Anna`, `- age: 3`.
    fn merged(&mut self, items: Vec<Value>, place: Place<'s>, depth: usize) -> Value {
        let (mut all, mut seen) = (Vec::new(), Seen::default());
        for item in &items {
            let Value::Object(members) = item else {
                return self.member_of(items, place, depth);
            };
            let text = self.text;
            let own = |name: &Name| self.places.has(place, name.of(text));
            if !members.iter().any(|(name, _)| own(name)) {
                return self.member_of(items, place, depth);
            }
            if members.iter().any(|(name, _)| seen.has(name.of(text))) {
                return self.list(items, place, depth);
            }
            for (name, value) in members {
                add(&mut all, text, (name.clone(), value.clone()), &mut seen);
            }
        }
        match all.is_empty() {
            true => self.list(items, place, depth),
            false => self.object(all, place, depth),
        }
    }

    /// The object whose only array of objects these are.
    fn member_of(&mut self, items: Vec<Value>, place: Place<'s>, depth: usize) -> Value {
        let list = self.places.only_list(place);
        let items = self.list(items, list.map_or(place, |(_, list)| list), depth);
        let is_object = |item: &Value| matches!(item, Value::Object(_));
        match (list, &items) {
            (Some((name, _)), Value::List(all)) if all.iter().all(is_object) => {
                Value::Object(vec![(Name::Known(name.to_owned()), items)])
            }
            _ => items,
        }
    }

    /// An array written as an object with one member around the items, or with numbered members.
    fn unwrapped(&mut self, members: Vec<Member>, place: Place<'s>, depth: usize) -> Value {
        if members.is_empty() {
            return Value::List(Vec::new());
        }
        let item = place.item();
        let own = |name: &Name| self.places.has(item, name.of(self.text));
        if let [(name, _)] = &members[..]
            && !own(name)
        {
            let inner = members
                .into_iter()
                .next()
                .map_or(Value::Null, |(_, value)| value);
            return match inner {
                Value::List(items) => self.list(items, place, depth),
                inner => self.list(vec![inner], place, depth),
            };
        }
        let numbered = |(index, (name, _)): (usize, &Member)| {
            let name = normal_name(name.of(self.text));
            let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
            let number = digits.parse::<usize>().ok();
            number.is_some_and(|number| number == index || number == index + 1)
        };
        if members.iter().enumerate().all(numbered) && !own(&members[0].0) {
            let items = members.into_iter().map(|(_, value)| value);
            return self.list(items.collect(), place, depth);
        }
        match item.wants_object() {
            true => {
                let one = self.object(members, item, depth + 1);
                Value::List(vec![one])
            }
            false => self.object(members, place, depth),
        }
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
        let sign = [";", " | ", "|", ","]
            .into_iter()
            .find(|sign| inner.contains(sign));
        let Some(sign) = sign else {
            return Value::List(vec![Value::Plain(part)]);
        };
        // A comma may also occur inside an item.
        self.doubtful |= sign == "," && item.wants_text();
        let (mut items, mut start) = (Vec::new(), part.start);
        let ends = inner
            .match_indices(sign)
            .map(|(at, _)| at)
            .chain([inner.len()]);
        for end in ends {
            let one = trimmed(self.text, start..part.start + end);
            start = part.start + (end + sign.len()).min(inner.len());
            let one = without_and(self.text, one);
            if !one.is_empty() {
                items.push(Spelling::MARKS.read(self.text, one));
            }
        }
        Value::List(items)
    }
}

/// Returns `true` if a string represents a missing value.
fn is_nothing(text: &str) -> bool {
    matches!(
        text,
        "-" | "—" | "none" | "None" | "N/A" | "n/a" | "(none)" | "null" | "~"
    )
}

/// Returns the last item of an enumeration without the word before it: `c` for `a, b, and c`.
fn without_and(text: &str, part: Part) -> Part {
    match text[part.clone()].strip_prefix("and ") {
        Some(rest) => part.end - rest.len()..part.end,
        None => part,
    }
}
