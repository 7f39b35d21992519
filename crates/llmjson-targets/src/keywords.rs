//! Renders types, `enum`, `const`, formats and bounds.

use super::dialect::keyword::{VALIDATED, about, then};
use super::json::{self, Json, Members};
use super::lint::{chars, is_few};
use super::merged::{Allowed, Merged};
use super::render::{Null, Renderer, SchemaPlace};
use super::sentences;
use super::types::Types;
use llmjson_schema::internal::source::{NodeIx as Ix, Written};

/// The maximum number of values listed in a description.
const VALUES_SHOWN: usize = 50;
/// The maximum length of a value in a description, in bytes of JSON.
const VALUE_BYTES_SHOWN: usize = 200;
/// The maximum number of examples in a description.
const EXAMPLES_SHOWN: usize = 3;

/// The keywords and the description of a subschema that is being written.
pub(super) struct Body {
    pub(super) members: Members,
    pub(super) notes: String,
}

impl Body {
    pub(super) fn add(&mut self, keyword: &str, json: Json) {
        self.members.push((keyword.to_owned(), json));
    }

    pub(super) fn describe(&mut self, sentence: &str) {
        sentences::append(&mut self.notes, sentence);
    }
}

impl<'g> Renderer<'g> {
    /// Renders a merged subschema without unions.
    pub(super) fn body(
        &mut self,
        merged: &Merged<'g>,
        mut notes: String,
        place: SchemaPlace,
    ) -> Json {
        let types = merged.kinds(self.source);
        let null = place
            .null
            .or_if(merged.is_nullable || types.has(Types::NULL));
        self.describe_examples(merged, &mut notes);
        let kinds = types.without(Types::NULL);
        if place.is_root && self.target.requires_root_object {
            return self.typed(merged, Types::OBJECT, notes, place);
        }
        if types == Types::ALL && !merged.has_constraints() {
            return self.any(merged, notes);
        }
        if kinds == Types::NONE && types.has(Types::NULL) {
            let place = place.with_null(Null::Excluded);
            return self.typed(merged, Types::NULL, notes, place);
        }
        // If null is not allowed in an `enum`, it is a branch next to it.
        let is_apart = merged.allowed.is_some()
            && null.is_allowed()
            && self.target.allows_type_lists
            && !self.target.enum_values.has(Types::NULL);
        let has_containers = kinds.meets(Types::ARRAY.or(Types::OBJECT));
        if kinds.count() > 1 && (has_containers || !self.target.allows_type_lists) {
            let inner = place.deeper(2);
            let branches: Vec<Json> = (kinds.each())
                .map(|(kind, _)| self.typed(merged, kind, String::new(), inner))
                .collect();
            return self.any_of(branches, notes, null);
        }
        if is_apart {
            let branch = self.typed(merged, kinds, String::new(), place.deeper(2));
            return self.any_of(vec![branch], notes, Null::Allowed);
        }
        self.typed(merged, kinds, notes, place.with_null(null))
    }

    /// Renders a merged subschema for the given types.
    fn typed(
        &mut self,
        merged: &Merged<'g>,
        types: Types,
        notes: String,
        place: SchemaPlace,
    ) -> Json {
        let members = self.type_of(types, place.null);
        let mut body = Body { members, notes };
        if types == Types::OBJECT && self.becomes_text(merged, &mut body, place) {
            return self.text(body.notes, place.null);
        }
        if let Some(allowed) = &merged.allowed {
            self.values(allowed, types, place.null, &mut body);
        }
        self.plain(merged, types, &mut body);
        if types == Types::OBJECT {
            self.object(merged, &mut body, place);
        }
        if types == Types::ARRAY {
            self.list(merged, &mut body, place);
        }
        let Body { mut members, notes } = body;
        if !notes.is_empty() {
            members.insert(1, ("description".to_owned(), Json::Text(notes)));
        }
        Json::Object(members)
    }

    fn values(&mut self, allowed: &Allowed, types: Types, null: Null, body: &mut Body) {
        let source = self.source;
        let is_allowed = |ix: &&Ix| {
            let of = Types::of(source, **ix);
            types.meets(of) || of == Types::NULL && null.is_allowed()
        };
        let values = allowed.values.iter().filter(is_allowed).copied();
        let real: Vec<Ix> = values
            .filter(|ix| !matches!(source.get(*ix), Written::Null))
            .collect();
        if real.is_empty() && types == Types::NULL {
            return;
        }
        if real
            .iter()
            .any(|ix| !self.target.supports_enum_value(source, *ix))
        {
            return self.describe_values(allowed, &real, body);
        }
        let takes_const = allowed.is_const && self.target.supports("const") && !null.is_allowed();
        if let ([one], true) = (&real[..], takes_const) {
            return body.add("const", json::of(source, *one));
        }
        let takes_null = self.target.enum_values.has(Types::NULL);
        let has_null = null.is_allowed() && takes_null;
        let count = real.len() + usize::from(has_null);
        let bounds = self.target.limits;
        let of_values: usize = real.iter().map(|ix| chars(source, *ix)).sum();
        let of_all = of_values + if has_null { 4 } else { 0 };
        let is_large = count > bounds.large_enum && of_all > bounds.large_enum_chars;
        if is_large || count > bounds.enum_values.saturating_sub(self.enum_values) {
            return self.describe_values(allowed, &real, body);
        }
        self.enum_values += count;
        let list = real.iter().map(|ix| json::of(source, *ix));
        body.add(
            "enum",
            Json::List(list.chain(has_null.then_some(Json::Null)).collect()),
        );
    }

    /// Adds the `enum` values to the description.
    fn describe_values(&mut self, allowed: &Allowed, values: &[Ix], body: &mut Body) {
        let shown: Vec<String> = (values.iter().take(VALUES_SHOWN))
            .map(|ix| json::text_of(self.source, *ix))
            .filter(|json| json.len() <= VALUE_BYTES_SHOWN)
            .map(|json| format!("`{json}`"))
            .collect();
        if shown.len() < values.len() {
            let message = "the `enum` values are too many or too long for the description; they \
                are enforced only when arguments are validated";
            self.lose(allowed.at, "enum", message);
            let first = sentences::list(&shown[..shown.len().min(EXAMPLES_SHOWN)], "and");
            let count = values.len();
            return body.describe(&format!("One of {count} values, such as {first}."));
        }
        match &shown[..] {
            [one] => body.describe(&format!("Always {one}.")),
            shown => body.describe(&format!("One of {}.", sentences::list(shown, "and"))),
        }
    }

    /// Adds the default and examples to the description, if their keywords are not supported.
    fn describe_examples(&mut self, merged: &Merged<'g>, notes: &mut String) {
        for (keyword, value) in &merged.plain {
            if self.target.supports(keyword) {
                continue;
            }
            match *keyword {
                "default" => {
                    if let Some(shown) = self.shown(*value) {
                        sentences::append(notes, &format!("Default: {shown}."));
                    }
                }
                "example" | "examples" => {
                    let one = [*value];
                    let values = match *keyword {
                        "examples" => self.source.items(*value),
                        _ => &one[..],
                    };
                    let shown = values.iter().filter_map(|ix| self.shown(*ix));
                    let shown: Vec<String> = shown.take(EXAMPLES_SHOWN).collect();
                    if !shown.is_empty() {
                        let shown = sentences::list(&shown, "or");
                        sentences::append(notes, &format!("For example {shown}."));
                    }
                }
                _ => {}
            }
        }
    }

    /// Formats a value for a description; returns `None` if it is null or too long.
    fn shown(&self, value: Ix) -> Option<String> {
        let json = json::text_of(self.source, value);
        (json.len() <= VALUE_BYTES_SHOWN && json != "null").then(|| format!("`{json}`"))
    }

    /// Copies the keywords that are supported, and adds the others to the description.
    fn plain(&mut self, merged: &Merged<'g>, types: Types, body: &mut Body) {
        let source = self.source;
        let mut parts: [Vec<String>; 4] = Default::default();
        for &(keyword, value) in &merged.plain {
            let about = about(keyword);
            if about != Types::NONE && !about.meets(types) {
                continue;
            }
            if self.target.supports(keyword) && self.supports_value(keyword, value, types) {
                if is_copied(keyword) {
                    body.add(keyword, json::of(source, value));
                }
                continue;
            }
            if self.inclusive_bound(merged, types, keyword, value, body) {
                continue;
            }
            if keyword == "uniqueItems" && source.is_true(value) {
                parts[2].push("no item twice".to_owned());
                continue;
            }
            let Some((group, words, noun)) = bound_words(keyword) else {
                self.describe_other(keyword, value, body);
                continue;
            };
            let number = source.number(value).unwrap_or_default();
            parts[group].push(format!("{words} {}", sentences::counted(number, noun)));
        }
        for sentence in parts.iter().filter_map(|parts| sentences::sentence(parts)) {
            body.describe(&sentence);
        }
    }

    /// Returns `true` if the value of a supported keyword is supported.
    fn supports_value(&self, keyword: &str, value: Ix, types: Types) -> bool {
        let (source, target) = (self.source, self.target);
        match keyword {
            "format" => {
                let format = source.text(value).unwrap_or_default();
                target.supports_format(format, types)
            }
            "pattern" => {
                let text = source.text(value);
                text.is_some_and(|text| (target.takes_pattern)(text))
            }
            "minItems" if !target.allows_any_min_items => is_few(source, value),
            _ => true,
        }
    }

    /// Rewrites an exclusive bound of integers as an inclusive one, if only that is supported.
    fn inclusive_bound(
        &self,
        merged: &Merged<'g>,
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
        let is_alone = !merged.plain.iter().any(|(name, _)| *name == taken);
        let number = self.source.number(value).and_then(|text| text.parse().ok());
        let next = number.and_then(|number: i64| number.checked_add(step));
        match next {
            Some(next) if types == Types::INTEGER && is_alone && self.target.supports(taken) => {
                body.add(taken, Json::Number(next.to_string()));
                true
            }
            _ => false,
        }
    }

    /// Adds a keyword to the description, or reports that it is lost.
    fn describe_other(&mut self, keyword: &str, value: Ix, body: &mut Body) {
        let text = self.source.text(value);
        let is_short = |text: &&str| text.len() <= VALUE_BYTES_SHOWN;
        let sentence = match (keyword, text.filter(is_short)) {
            ("format", Some(text)) => format!("Format: {text}."),
            ("pattern", Some(text)) => format!("Matches the regular expression `{text}`."),
            ("contentMediaType", Some(text)) => format!("Content: {text}."),
            ("contentEncoding", Some(text)) => format!("Encoding: {text}."),
            _ => return self.lose_other(keyword, value),
        };
        body.describe(&sentence);
    }

    fn lose_other(&mut self, keyword: &str, value: Ix) {
        let is_closed = keyword == "unevaluatedProperties" && self.source.is_false(value);
        // Keywords that modify another keyword are handled with it.
        let is_beside = matches!(keyword, "then" | "else" | "minContains" | "maxContains");
        let of_text = ["format", "pattern", "contentMediaType", "contentEncoding"];
        let is_lost = then(keyword) == VALIDATED || of_text.contains(&keyword);
        if !is_lost || is_beside || is_closed && self.target.requires_closed_objects {
            return;
        }
        let message = format!(
            "{} does not support this `{keyword}`; {VALIDATED}",
            self.target.title
        );
        match keyword {
            "patternProperties" => self.exclude(value, keyword, message),
            _ => self.lose(value, keyword, message),
        }
    }
}

/// Returns the words for a bound: the group of bounds that form one phrase, the requirement, and
/// the counted noun.
pub(super) fn bound_words(keyword: &str) -> Option<(usize, &'static str, &'static str)> {
    Some(match keyword {
        "minimum" => (0, "at least", ""),
        "exclusiveMinimum" => (0, "more than", ""),
        "maximum" => (0, "at most", ""),
        "exclusiveMaximum" => (0, "less than", ""),
        "multipleOf" => (0, "a multiple of", ""),
        "minLength" => (1, "at least", "character"),
        "maxLength" => (1, "at most", "character"),
        "minItems" => (2, "at least", "item"),
        "maxItems" => (2, "at most", "item"),
        "minProperties" => (3, "at least", "member"),
        "maxProperties" => (3, "at most", "member"),
        _ => return None,
    })
}

/// Returns `true` if a supported keyword is copied; the targets of references are written
/// separately.
fn is_copied(keyword: &str) -> bool {
    !keyword.starts_with('$') && keyword != "propertyOrdering"
}
