//! Calls whose arguments are between tags: `<parameter=key>value</parameter>` and similar formats,
//! and pairs of a key tag and a value tag, `<arg_key>key</arg_key><arg_value>value</arg_value>`.

use llmjson_schema::internal::ARGUMENTS;
use llmjson_syntax::{Class, Kind, write_string};

use super::family::Family;
use super::json::{is_name, is_spaced, without_markup};
use super::live::{Form, OpenArgument};
use super::pieces::{
    Dress, Part, Piece, line_end, may_be_elements, nested, next_tag, trimmed, up_to, value,
    without_line_end,
};
use super::tag::Tag;
use super::values::{self, Schemas, Takes};
use super::{Budget, CallDraft, Payload, arguments_at, is_end, skip};

/// Reads the call of this tag, and returns its end. A tag that names no tool may itself have the
/// name of one.
pub(super) fn call<'t>(
    text: &'t str,
    tag: Tag<'t>,
    has_entities: bool,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    // `<weather name="Oslo">`: an element with the name of a tool has no other name.
    let own = Some(tag.name).filter(|name| !tag.is_call() && schemas.has(name));
    let written = own.or_else(|| tag.call_name())?.trim_ascii();
    // `<function=<b>weather</b>>`
    let unmarked = without_markup(written, schemas);
    let unmarked = unmarked.filter(|_| written.starts_with('<'));
    let name = unmarked.unwrap_or(written);
    if !(is_name(name) || is_spaced(name) && schemas.knows(name)) {
        return None;
    }
    let mut draft = CallDraft {
        name: name.to_owned(),
        ..CallDraft::default()
    };
    let is_whole = tag.raw.ends_with('>') && tag.raw.starts_with(['<', ']']) && !tag.lacks_quote();
    if !is_whole || unmarked.is_some() {
        draft.class = Class::Likely;
    }
    let body = Body::new(text, tag, Dress::Named(tag), draft, tag.end);
    let body = Body {
        has_entities,
        ..body
    };
    match tag.is_empty() {
        true => body.finish(tag.end),
        false => body.read(schemas, budget),
    }
}

/// Reads the arguments after a marker and the tool's name: elements or pairs.
pub(super) fn behind_name<'t>(
    text: &'t str,
    name: &str,
    (opener, dress): (Tag<'t>, Dress<'t>),
    start: usize,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let mut draft = CallDraft::default();
    if matches!(dress, Dress::Named(_)) {
        draft.class = Class::Likely;
    }
    draft.set_name(name);
    Body::new(text, opener, dress, draft, start).read(schemas, budget)
}

/// The text between the tag of a call and its end.
struct Body<'t> {
    text: &'t str,
    /// The tag of the call.
    tag: Tag<'t>,
    dress: Dress<'t>,
    has_entities: bool,
    draft: CallDraft,
    /// The arguments so far.
    json: String,
    count: usize,
    /// The text of the single argument that contains all others.
    wrapped: Option<String>,
    at: usize,
}

/// An argument to be written.
struct Argument<'t> {
    key: &'t str,
    value: Piece<'t>,
    /// The offset after the tag of its value, and `true` if there is one.
    from: (usize, bool),
    takes: Takes,
    /// The tag that names it.
    tag: Option<Tag<'t>>,
    had_reached_end: bool,
    /// `true` if more text cannot change it.
    is_sure: bool,
}

impl<'t> Body<'t> {
    fn new(text: &'t str, tag: Tag<'t>, dress: Dress<'t>, draft: CallDraft, at: usize) -> Self {
        Self {
            text,
            tag,
            dress,
            has_entities: false,
            draft,
            json: String::from("{"),
            count: 0,
            wrapped: None,
            at,
        }
    }

    fn read(mut self, schemas: Schemas<'_>, budget: &mut Budget) -> Option<(CallDraft, usize)> {
        let end = loop {
            let from = self.at;
            self.at = skip(self.text, self.at);
            let end = match self.dress {
                Dress::Named(_) => self.named(schemas, budget),
                Dress::Paired { .. } => self.paired(from, schemas, budget),
            };
            if let Some(end) = end {
                break end;
            }
        };
        // Words instead of arguments mention a call.
        if self.draft.is_partly_read && self.is_about() {
            return None;
        }
        self.finish(end)
    }

    /// Reads the next argument, or returns the end of the call.
    fn named(&mut self, schemas: Schemas<'_>, budget: &mut Budget) -> Option<usize> {
        // `<function=f>{"a": "x"}</function>`: all arguments as JSON, where elements are expected.
        if self.text[self.at..].starts_with('{') && self.json.len() == 1 {
            return Some(self.object(budget));
        }
        let lost = Tag::without_bracket(self.text, self.at);
        if lost.is_some() {
            self.set_likely();
        }
        let Some(next) = lost.or_else(|| next_tag(self.text, self.at, budget)) else {
            self.pass(self.text.len());
            self.draft.complete = false;
            budget.reached_end = true;
            return Some(self.text.len());
        };
        if let Some(key) = next.parameter() {
            self.pass(next.start);
            self.draft.is_partly_read |= next.has_attributes_beside(OWN_ATTRIBUTES);
            if next.lacks_quote() {
                self.set_likely();
            }
            self.argument(next, key, schemas, budget);
        // `</function>`, or `</f>` with the name of the tool.
        } else if next.closes_call(&self.tag) || self.closes_by_name(&next) {
            self.pass(next.start);
            return Some(next.end);
        } else if next.closes_argument() {
            self.pass(next.start);
            self.at = next.end;
        // `<a>x</a>`: an element named like a parameter that the tool declares.
        } else if self.is_argument(&next, schemas) {
            self.pass(next.start);
            if !self.tag.has_elements() {
                self.set_likely();
            }
            self.argument(next, next.name, schemas, budget);
        } else if ends_calls(&next) {
            // The closing tag of the call is missing.
            self.pass(next.start);
            self.set_likely();
            return Some(next.start);
        } else {
            self.pass(next.end);
        }
        None
    }

    /// Reads the next pair, one of whose tags may be missing, or returns the end of the call, which
    /// is after the last pair.
    fn paired(&mut self, from: usize, schemas: Schemas<'_>, budget: &mut Budget) -> Option<usize> {
        let (text, start) = (self.text, self.at);
        let tag = Tag::look(text, start, budget);
        let opener = tag.filter(|tag| self.dress.part(tag) == Some(Part::Key));
        if opener.is_none() && !self.dress.starts_pair(text, start, budget) {
            self.end_of_pairs(tag, budget);
            return Some(from);
        }
        let key_start = opener.map_or(start, |tag| tag.end);
        let mut key = up_to(text, key_start, Part::KeyEnd, &self.dress, budget);
        let mut next = Tag::look(text, skip(text, key.end), budget);
        let mut hint = None;
        if let Some(tag) = next.filter(|tag| self.dress.part(tag) == Some(Part::Hint)) {
            // `<ifm|arg_type>string</ifm|arg_type>`
            let piece = up_to(text, tag.end, Part::HintEnd, &self.dress, budget);
            hint = Some(piece.text.trim());
            key.end = piece.end;
            next = Tag::look(text, skip(text, key.end), budget);
        }
        let tag = next.filter(|tag| self.dress.part(tag) == Some(Part::Value));
        let is_damaged = opener.is_none() || tag.is_none() || !key.has_end(&self.dress);
        if is_damaged {
            self.set_likely();
        }
        let from = (tag.map_or(key.end, |tag| tag.end), tag.is_some());
        let mut argument = self.value(from, None, budget);
        let value = &mut argument.value;
        let mut name = key.text.trim();
        if tag.is_none() && value.text.trim().is_empty() {
            if !value.is_closed {
                self.draft.complete = false;
                return Some(value.end);
            }
            // `<arg_key>city=Oslo</arg_value>`
            if let Some((before, behind)) = name.split_once('=') {
                (name, value.text) = (before.trim(), behind);
            }
        }
        if is_damaged || !value.is_closed && value.end < text.len() {
            value.text = value.text.trim();
        }
        if self.dress.is_stray_in(value.text, None, budget) {
            self.draft.class = Class::Guess;
        }
        argument.key = name;
        argument.takes = match schemas.takes(&self.draft.name, name) {
            Takes::Anything => hint.map_or(Takes::Anything, Takes::by_hint),
            takes => takes,
        };
        self.write(argument, budget);
        None
    }

    /// Determines whether the text of a call of pairs is complete: a marker must end it.
    fn end_of_pairs(&mut self, tag: Option<Tag<'t>>, budget: &mut Budget) {
        match tag {
            Some(tag) if tag.is_closing || is_end(&tag.normalized()) => {}
            Some(tag) if Family::opens(&tag.normalized(), None) => self.set_likely(),
            _ => {
                let rest = self.text.len() - self.at;
                budget.reached_end |= rest < super::stream::MARKER_BYTES_MAX;
                self.draft.complete &= rest > 0;
                self.draft.is_partly_read |= rest > 0;
            }
        }
    }

    /// Ends the call at a place.
    fn finish(mut self, end: usize) -> Option<(CallDraft, usize)> {
        if matches!(self.dress, Dress::Named(_)) {
            // `<function=name city="Oslo">`: other attributes of a tag are not arguments.
            self.draft.is_partly_read |= self.tag.has_attributes_beside(OWN_ATTRIBUTES);
            let tag = self.tag;
            let mut names = tag
                .given()
                .filter(|(key, _)| matches!(*key, "name" | "tool"));
            let other = names.find(|(_, name)| name.trim_ascii() != self.draft.name);
            if let Some((_, name)) = other {
                self.draft.twice = Some(name.to_owned());
                self.set_likely();
            }
            self.draft.is_partly_read |=
                self.draft.twice.is_some() && self.tag.name == self.draft.name;
        }
        let is_read = matches!(self.draft.arguments, Payload::Read(_));
        self.json.push('}');
        let string = None;
        match self.wrapped {
            _ if is_read => {}
            Some(json) => self.draft.arguments = Payload::Text { json, string },
            None => self.draft.arguments = Payload::Built(self.json),
        }
        Some((self.draft, end))
    }

    fn set_likely(&mut self) {
        self.draft.class = self.draft.class.max(Class::Likely);
    }

    /// `</name>`, with the name of the tool.
    fn closes_by_name(&self, next: &Tag<'t>) -> bool {
        next.is_closing && next.name == self.draft.name
    }

    /// Skips text up to `end`, and notes that it was not read unless it is blank.
    fn pass(&mut self, end: usize) {
        let unread = &self.text[self.at..end];
        self.draft.is_partly_read |= !unread.trim().is_empty();
        self.at = end;
    }

    /// Returns `true` if words directly follow the call's tag.
    fn is_about(&self) -> bool {
        let inner = self.text[self.tag.end..].trim_start();
        matches!(self.dress, Dress::Named(_)) && self.count == 0 && !inner.starts_with(['<', ']'])
    }

    /// Returns `true` if an element is an argument: the format uses elements, or the tool declares
    /// it.
    fn is_argument(&self, next: &Tag<'t>, schemas: Schemas<'_>) -> bool {
        next.is_element()
            && (self.tag.has_elements() && next.has_elements()
                || schemas.declares(&self.draft.name, next.name))
    }

    /// Reads all arguments as one JSON object. Returns the end of the call.
    fn object(&mut self, budget: &mut Budget) -> usize {
        let (read, end) = arguments_at(self.text, self.at, budget);
        let name = std::mem::take(&mut self.draft.name);
        let class = self.draft.class.max(read.class);
        self.draft = CallDraft {
            name,
            class,
            ..read
        };
        let at = skip(self.text, end);
        // The tag's bracket follows the arguments.
        let at = at + usize::from(self.text[at..].starts_with('>'));
        let closer = Tag::look_behind(self.text, at, budget).filter(|tag| tag.is_closing);
        closer.map_or(end, |closer| closer.end)
    }

    /// Reads the value of an argument.
    fn value(
        &mut self,
        from: (usize, bool),
        tag: Option<Tag<'t>>,
        budget: &mut Budget,
    ) -> Argument<'t> {
        let had_reached_end = std::mem::take(&mut budget.reached_end);
        let value = value(self.text, from.0, tag, &mut self.dress, budget);
        // Later text may show that this closing tag belongs to the value.
        let is_sure = value.is_closed && !budget.reached_end && !had_reached_end;
        budget.reached_end |= had_reached_end;
        Argument {
            key: "",
            value,
            from,
            takes: Takes::Anything,
            tag,
            had_reached_end,
            is_sure,
        }
    }

    /// Reads the argument that a tag names.
    fn argument(&mut self, tag: Tag<'t>, key: &'t str, schemas: Schemas<'_>, budget: &mut Budget) {
        let mut argument = self.value((tag.end, true), Some(tag), budget);
        let value = &mut argument.value;
        value.text = trimmed(value.text);
        // The first bracket of its closer was lost.
        if !value.is_closed
            && let Some(text) = value.text.strip_suffix("/parameter>")
        {
            value.text = without_line_end(text);
            value.is_closed = true;
            self.draft.class = self.draft.class.max(Class::Likely);
        }
        if self.dress.is_stray_in(value.text, Some(&tag), budget) {
            self.draft.class = Class::Guess;
        }
        let by_schema = schemas.takes(&self.draft.name, key);
        let is_declared = by_schema != Takes::Anything;
        argument.takes = match (tag.attribute("string"), tag.attribute("type")) {
            // `<parameter name="a" string="false">"Oslo"</parameter>`: a string in JSON syntax.
            (Some("false"), _) if value.text.trim_start().starts_with('"') => Takes::Json,
            _ if is_declared => by_schema,
            // `<parameter name="a" string="true">5</parameter>`: the format says that the value is
            // a string. The tool's declaration takes precedence.
            (Some("true"), _) => Takes::Text { or_null: false },
            (Some("false"), _) => Takes::Json,
            (_, Some(hint)) if tag.is_separated() => Takes::by_hint(hint),
            _ => by_schema,
        };
        let spans_calls = argument.value.spans_calls;
        let is_wrapper =
            self.count == 0 && !is_declared && (ARGUMENTS.contains(&key) || key == "kwargs");
        self.wrapped = None;
        if is_wrapper {
            let written = self.decoded(argument.value.text);
            let json = values::as_json(written.trim(), budget);
            let json = json.filter(|(_, kind)| *kind == Kind::Object);
            self.wrapped = json.map(|(json, _)| json.to_owned());
        }
        argument.key = key;
        self.write(argument, budget);
        if spans_calls {
            self.draft.class = Class::Guess;
            self.draft.is_partly_read = true;
        }
    }

    /// Returns a value as interpreted by the format.
    fn decoded(&self, text: &str) -> String {
        let written = values::with_plain_line_ends(text);
        match self.has_entities {
            true => values::unescaped(&written),
            false => written.into_owned(),
        }
    }

    fn write(&mut self, argument: Argument<'t>, budget: &mut Budget) {
        let Argument {
            key, value, takes, ..
        } = argument;
        if self.json.len() > 1 {
            self.json.push(',');
        }
        write_string(key, &mut self.json);
        self.json.push(':');
        let decoded = self.decoded(value.text);
        let before = self.json.len();
        let (start, has_tag) = argument.from;
        let draft = &mut self.draft;
        let may_nest = self.tag.has_elements() && may_be_elements(&decoded);
        match may_nest.then(|| nested(&decoded, budget)).flatten() {
            Some(json) => self.json.push_str(&json),
            None => {
                let (json, read) = (&mut self.json, &mut draft.read);
                let place = (start, value.end);
                let sure = values::write(&decoded, takes, place, json, read, budget);
                draft.class = draft.class.max(sure);
            }
        }
        self.count += 1;
        if argument.is_sure && self.wrapped.is_none() {
            draft.settled = self.json.len();
        }
        let begun = &self.text[start..];
        let is_named = matches!(self.dress, Dress::Named(_));
        let is_begun = has_tag && !argument.had_reached_end && !matches!(begun, "" | "\r");
        let goes_on = is_begun && !value.is_closed && value.end == self.text.len();
        if goes_on && !may_nest && values::is_surely_text(&decoded, takes) {
            draft.open = Some(OpenArgument {
                at: start + if is_named { line_end(begun) } else { 0 },
                form: Form::Tags {
                    tags: self.dress.tags(argument.tag.as_ref()),
                    has_entities: self.has_entities,
                },
            });
            draft.settled = before + 1;
        }
        draft.complete &= value.is_closed || value.end < self.text.len();
        if !value.is_closed && is_named {
            draft.class = draft.class.max(Class::Likely);
        }
        self.at = value.end;
    }
}

/// Returns `true` if a tag other than the call's own shows that the call is over: it closes calls,
/// ends the message, or begins the next call.
fn ends_calls(tag: &Tag<'_>) -> bool {
    let name = tag.normalized();
    is_end(&name) || tag.is_call() || Family::opens(&name, None)
}

/// Attributes of call and argument tags that are not arguments.
const OWN_ATTRIBUTES: &[&str] = &[
    "call_id",
    "id",
    "index",
    "key",
    "name",
    "string",
    "tool",
    "tool_call_id",
    "type",
    "xmlns",
];
