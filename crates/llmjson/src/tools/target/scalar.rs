//! What is written for types, allowed values, formats and bounds.

use super::given::{Ix, Value};
use super::json::{Json, Members};
use super::lint::{chars, is_few};
use super::render::{Place, Renderer};
use super::shape::{Allowed, Shape, about};
use super::types::Types;
use super::{SchemaTarget, words};

/// The most values that are listed in a description.
const VALUES_SAID: usize = 50;
/// The longest default, example or constant that is said in a description, in bytes of JSON.
const VALUE_BYTES_SAID: usize = 200;
/// How many examples are said.
const EXAMPLES_SAID: usize = 3;

/// What is being written for one type.
pub(super) struct Body {
    pub(super) members: Members,
    pub(super) notes: String,
}

impl Body {
    pub(super) fn add(&mut self, keyword: &str, json: Json) {
        self.members.push((keyword.to_owned(), json));
    }

    pub(super) fn say(&mut self, sentence: &str) {
        words::add(&mut self.notes, sentence);
    }
}

impl<'g> Renderer<'g> {
    /// What is written for a shape without unions.
    pub(super) fn body(&mut self, shape: &Shape<'g>, mut notes: String, place: Place) -> Json {
        let types = shape.kinds(self.given);
        let null = place.null || shape.is_nullable || types.has(Types::NULL);
        self.say_examples(shape, &mut notes);
        let kinds = types.without(Types::NULL);
        if place.is_root && self.target.wants_object() {
            return self.typed(shape, Types::OBJECT, notes, place);
        }
        if types == Types::ALL && !shape.says_more() {
            return self.any(shape, notes);
        }
        if kinds == Types::NONE && types.has(Types::NULL) {
            return self.typed(
                shape,
                Types::NULL,
                notes,
                Place {
                    null: false,
                    ..place
                },
            );
        }
        let apart = match &shape.allowed {
            // Null cannot stand among other values everywhere.
            Some(_) => self.target == SchemaTarget::GeminiJson && null,
            None => false,
        };
        let has_containers = kinds.meets(Types::ARRAY.or(Types::OBJECT));
        if kinds.count() > 1 && (has_containers || !self.target.takes_type_lists()) {
            let inner = place.deeper(2);
            let branches: Vec<Json> = (kinds.each())
                .map(|(kind, _)| self.typed(shape, kind, String::new(), inner))
                .collect();
            return self.any_of(branches, notes, null);
        }
        if apart {
            let branch = self.typed(shape, kinds, String::new(), place.deeper(2));
            return self.any_of(vec![branch], notes, true);
        }
        self.typed(shape, kinds, notes, Place { null, ..place })
    }

    /// What is written for values of these types.
    fn typed(&mut self, shape: &Shape<'g>, types: Types, notes: String, place: Place) -> Json {
        let members = self.type_of(types, place.null);
        let mut body = Body { members, notes };
        if types == Types::OBJECT && self.is_text(shape, &mut body, place) {
            return self.text(body.notes, place.null);
        }
        if let Some(allowed) = &shape.allowed {
            self.values(allowed, types, place.null, &mut body);
        }
        self.plain(shape, types, &mut body);
        if types == Types::OBJECT {
            self.object(shape, &mut body, place);
        }
        if types == Types::ARRAY {
            self.list(shape, &mut body, place);
        }
        let Body { mut members, notes } = body;
        if !notes.is_empty() {
            members.insert(1, ("description".to_owned(), Json::Text(notes)));
        }
        Json::Object(members)
    }

    fn values(&mut self, allowed: &Allowed, types: Types, null: bool, body: &mut Body) {
        let given = self.given;
        let is_meant = |ix: &&Ix| {
            let of = Types::of(given, **ix);
            types.meets(of) || of == Types::NULL && null
        };
        let values: Vec<Ix> = allowed.values.iter().filter(is_meant).copied().collect();
        let real: Vec<Ix> = values
            .iter()
            .copied()
            .filter(|ix| !matches!(given.get(*ix), Value::Null))
            .collect();
        let is_null_only = real.is_empty();
        if is_null_only && types == Types::NULL {
            return;
        }
        if !real.iter().all(|ix| self.target.takes_value(given, *ix)) {
            return self.say_values(allowed, &real, body);
        }
        let takes_null = self.target.takes_type_lists() && self.target != SchemaTarget::GeminiJson;
        let count = real.len() + usize::from(null && takes_null);
        if let ([one], true, false) = (
            &real[..],
            allowed.is_const && self.target.takes("const"),
            null,
        ) {
            return body.add("const", super::json::of(given, *one));
        }
        let bounds = self.target.limits();
        let of_all: usize = real.iter().map(|ix| chars(given, *ix)).sum::<usize>()
            + if null && takes_null { 4 } else { 0 };
        let is_large = count > bounds.large_enum && of_all > bounds.large_enum_chars;
        if is_large || count > bounds.enum_values.saturating_sub(self.enum_values) {
            return self.say_values(allowed, &real, body);
        }
        self.enum_values += count;
        let mut list: Vec<Json> = real.iter().map(|ix| super::json::of(given, *ix)).collect();
        if null && takes_null {
            list.push(Json::Null);
        }
        body.add("enum", Json::List(list));
    }

    /// Says the allowed values in words.
    fn say_values(&mut self, allowed: &Allowed, values: &[Ix], body: &mut Body) {
        let said: Vec<String> = (values.iter().take(VALUES_SAID))
            .map(|ix| self.given.json(*ix))
            .filter(|json| json.len() <= VALUE_BYTES_SAID)
            .map(|json| format!("`{json}`"))
            .collect();
        if said.len() < values.len() {
            self.lose(
                allowed.at,
                "enum",
                "the allowed values are too many or too long to be said: they \
                                           are only checked afterwards",
            );
            return body.say(&format!(
                "One of {} values, such as {}.",
                values.len(),
                words::list(&said[..said.len().min(EXAMPLES_SAID)], "and")
            ));
        }
        match &said[..] {
            [one] => body.say(&format!("Always {one}.")),
            said => body.say(&format!("One of {}.", words::list(said, "and"))),
        }
    }

    /// Says the default and examples, where there are no keywords for them.
    fn say_examples(&mut self, shape: &Shape<'g>, notes: &mut String) {
        for (keyword, value) in &shape.plain {
            if self.target.takes(keyword) {
                continue;
            }
            match *keyword {
                "default" => {
                    if let Some(said) = self.said(*value) {
                        words::add(notes, &format!("Default: {said}."));
                    }
                }
                "example" | "examples" => {
                    let one = [*value];
                    let values = match *keyword {
                        "examples" => self.given.items(*value),
                        _ => &one[..],
                    };
                    let said = values.iter().filter_map(|ix| self.said(*ix));
                    let said: Vec<String> = said.take(EXAMPLES_SAID).collect();
                    if !said.is_empty() {
                        words::add(notes, &format!("For example {}.", words::list(&said, "or")));
                    }
                }
                _ => {}
            }
        }
    }

    /// A value as descriptions show it, unless it is null or long.
    fn said(&self, value: Ix) -> Option<String> {
        let json = self.given.json(value);
        (json.len() <= VALUE_BYTES_SAID && json != "null").then(|| format!("`{json}`"))
    }

    /// Keywords that are passed on where they are taken, and said in words where not.
    fn plain(&mut self, shape: &Shape<'g>, types: Types, body: &mut Body) {
        let given = self.given;
        let mut parts: [Vec<String>; 4] = Default::default();
        for &(keyword, value) in &shape.plain {
            let about = about(keyword);
            if about != Types::NONE && !about.meets(types) {
                continue;
            }
            if self.target.takes(keyword) && self.takes_content(keyword, value, types) {
                if is_passed_on(keyword) {
                    body.add(keyword, super::json::of(given, value));
                }
                continue;
            }
            if self.whole_bound(shape, types, keyword, value, body) {
                continue;
            }
            let number = given.number(value).unwrap_or_default();
            let (group, part) = match keyword {
                "minimum" => (0, format!("at least {number}")),
                "exclusiveMinimum" => (0, format!("more than {number}")),
                "maximum" => (0, format!("at most {number}")),
                "exclusiveMaximum" => (0, format!("less than {number}")),
                "multipleOf" => (0, format!("a multiple of {number}")),
                "minLength" => (
                    1,
                    format!("at least {}", words::counted(number, "character")),
                ),
                "maxLength" => (
                    1,
                    format!("at most {}", words::counted(number, "character")),
                ),
                "minItems" => (2, format!("at least {}", words::counted(number, "item"))),
                "maxItems" => (2, format!("at most {}", words::counted(number, "item"))),
                "uniqueItems" if given.is(value, true) => (2, "no item twice".to_owned()),
                "minProperties" => (3, format!("at least {}", words::counted(number, "member"))),
                "maxProperties" => (3, format!("at most {}", words::counted(number, "member"))),
                _ => {
                    self.say_other(keyword, value, body);
                    continue;
                }
            };
            parts[group].push(part);
        }
        for sentence in parts.iter().filter_map(|parts| words::sentence(parts)) {
            body.say(&sentence);
        }
    }

    /// Whether a keyword that is taken is taken with what it holds.
    fn takes_content(&self, keyword: &str, value: Ix, types: Types) -> bool {
        let (given, target) = (self.given, self.target);
        match keyword {
            "format" => {
                let taken = target.formats(types.meets(Types::STRING));
                let format = given.text(value).unwrap_or_default();
                taken.is_none_or(|taken| taken.contains(&format))
            }
            "pattern" => given
                .text(value)
                .is_some_and(|text| target.takes_pattern(text)),
            "minItems" if target == SchemaTarget::Anthropic => is_few(given, value),
            _ => true,
        }
    }

    /// Writes an exclusive bound of whole numbers as the next number, where only that is taken.
    fn whole_bound(
        &self,
        shape: &Shape<'g>,
        types: Types,
        keyword: &str,
        value: Ix,
        body: &mut Body,
    ) -> bool {
        let (taken, step) = match keyword {
            "exclusiveMinimum" => ("minimum", 1),
            "exclusiveMaximum" => ("maximum", -1),
            _ => return false,
        };
        let is_alone = !shape.plain.iter().any(|(name, _)| *name == taken);
        let number = self
            .given
            .number(value)
            .and_then(|text| text.parse::<i64>().ok());
        let next = number.and_then(|number| number.checked_add(step));
        match next {
            Some(next) if types == Types::INTEGER && is_alone && self.target.takes(taken) => {
                body.add(taken, Json::Number(next.to_string()));
                true
            }
            _ => false,
        }
    }

    /// Says what a keyword asks for, or that nothing says it.
    fn say_other(&mut self, keyword: &str, value: Ix, body: &mut Body) {
        let text = self.given.text(value);
        let is_short = text.is_some_and(|text| text.len() <= VALUE_BYTES_SAID);
        match (keyword, text) {
            ("format", Some(text)) if is_short => body.say(&format!("Format: {text}.")),
            ("pattern", Some(text)) if is_short => {
                body.say(&format!("Matches the regular expression `{text}`."))
            }
            ("contentMediaType", Some(text)) if is_short => body.say(&format!("Content: {text}.")),
            ("contentEncoding", Some(text)) if is_short => body.say(&format!("Encoding: {text}.")),
            ("unevaluatedProperties", _)
                if self.target.closes_objects() && self.given.is(value, false) => {}
            (
                "format"
                | "pattern"
                | "contentMediaType"
                | "contentEncoding"
                | "not"
                | "if"
                | "contains"
                | "propertyNames"
                | "patternProperties"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "dependentRequired"
                | "dependentSchemas"
                | "dependencies",
                _,
            ) => {
                let message = format!(
                    "{} takes no `{keyword}` like this: it is left out, and only checked \
                                       afterwards",
                    self.target.title()
                );
                match keyword {
                    "patternProperties" => self.exclude(value, keyword, message),
                    _ => self.lose(value, keyword, message),
                }
            }
            _ => {}
        }
    }
}

/// Whether a keyword that is taken is worth writing; what references lead to is written anew.
fn is_passed_on(keyword: &str) -> bool {
    !keyword.starts_with('$') && keyword != "propertyOrdering"
}
