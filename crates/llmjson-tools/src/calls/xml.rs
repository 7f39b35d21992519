//! Calls that are written with tags: a tag that names the tool, and one for each parameter.

use llmjson_syntax::{Class, Kind, steps_of_search, write_string};
use memchr::memchr;

use super::family::{Escapes, Family};
use super::json::{is_name, is_spaced, without_markup};
use super::live::{Form, OpenArgument};
use super::tag::{PREFIX, Tag, may_become_tag};
use super::values::{self, Schemas, Takes};
use super::{Budget, CallDraft, Payload, arguments_at};

/// Reads the call whose tag this is, and returns where it ends. A tag that names no tool may have the name
/// of one itself.
pub(super) fn call<'t>(
    text: &'t str,
    tag: Tag<'t>,
    escapes: Escapes,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    // `<weather name="Oslo">`: an element with the name of a tool has no other one.
    let own = Some(tag.name).filter(|name| !tag.is_call() && schemas.has(name));
    let written = own.or_else(|| tag.call_name())?.trim_ascii();
    // `<function=<b>weather</b>>`
    let unmarked = without_markup(written, &|name| schemas.knows(name));
    let unmarked = unmarked.filter(|_| written.starts_with('<'));
    let name = unmarked.unwrap_or(written);
    if !(is_name(name) || is_spaced(name) && schemas.knows(name)) {
        return None;
    }
    let mut draft = CallDraft {
        name: name.to_owned(),
        ..CallDraft::default()
    };
    if !tag.raw.ends_with('>') || !tag.raw.starts_with(['<', ']']) || unmarked.is_some() {
        draft.class = Class::Likely;
    }
    let body = Body::new(text, tag, draft, tag.end);
    let body = Body { escapes, ..body };
    match tag.is_empty() {
        true => body.finish(tag.end),
        false => body.read(schemas, budget),
    }
}

/// Reads the elements behind a marker and the name of a tool, as its arguments.
pub(super) fn elements<'t>(
    text: &'t str,
    name: &str,
    opener: Tag<'t>,
    start: usize,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let mut draft = CallDraft {
        class: Class::Likely,
        ..CallDraft::default()
    };
    draft.set_name(name);
    Body::new(text, opener, draft, start).read(schemas, budget)
}

/// The text between the tag of a call and its end.
struct Body<'t> {
    text: &'t str,
    /// The tag of the call.
    tag: Tag<'t>,
    escapes: Escapes,
    draft: CallDraft,
    /// The arguments so far.
    json: String,
    count: usize,
    /// The text of the one argument that holds all others.
    wrapped: Option<String>,
    at: usize,
}

impl<'t> Body<'t> {
    fn new(text: &'t str, tag: Tag<'t>, draft: CallDraft, at: usize) -> Self {
        Self {
            text,
            tag,
            escapes: Escapes::None,
            draft,
            json: String::from("{"),
            count: 0,
            wrapped: None,
            at,
        }
    }

    fn read(
        mut self,
        schemas: &mut Schemas<'_>,
        budget: &mut Budget,
    ) -> Option<(CallDraft, usize)> {
        let end = loop {
            self.at = super::skip(self.text, self.at);
            // `<function=f>{"a": "x"}</function>`: all arguments as JSON, where elements were due.
            if self.text[self.at..].starts_with('{') && self.json.len() == 1 {
                break self.object(budget)?;
            }
            let lost = Tag::without_bracket(self.text, self.at);
            if lost.is_some() {
                self.draft.class = self.draft.class.max(Class::Likely);
            }
            let Some(next) = lost.or_else(|| next_tag(self.text, self.at, budget)) else {
                self.pass(self.text.len());
                self.draft.complete = false;
                budget.reached_end = true;
                break self.text.len();
            };
            if let Some(key) = next.parameter() {
                self.pass(next.start);
                self.draft.is_partly_read |= next.has_attributes_beside(OWN_ATTRIBUTES);
                self.argument(next, key, schemas, budget);
            // `</function>`, or `</f>` with the name of the tool.
            } else if next.closes_call(&self.tag) || self.closes_by_name(&next) {
                self.pass(next.start);
                break next.end;
            } else if next.closes_argument() {
                self.pass(next.start);
                self.at = next.end;
            // `<a>x</a>`: an element named like a parameter that the tool declares.
            } else if self.is_argument(&next, schemas) {
                self.pass(next.start);
                if !self.tag.has_elements() {
                    self.draft.class = self.draft.class.max(Class::Likely);
                }
                self.argument(next, next.name, schemas, budget);
            } else if ends_calls(&next) {
                // The closing tag of the call is missing.
                self.pass(next.start);
                self.draft.class = self.draft.class.max(Class::Likely);
                break next.start;
            } else {
                self.pass(next.end);
            }
        };
        // Words instead of arguments are words about a call.
        if self.draft.is_partly_read && self.is_about() {
            return None;
        }
        self.finish(end)
    }

    /// Ends the call at a place.
    fn finish(mut self, end: usize) -> Option<(CallDraft, usize)> {
        // `<function=name city="Oslo">`: what a tag says besides is no argument.
        self.draft.is_partly_read |= self.tag.has_attributes_beside(OWN_ATTRIBUTES);
        let mut names = self
            .tag
            .given()
            .filter(|(key, _)| matches!(*key, "name" | "tool"));
        let other = names.find(|(_, name)| name.trim_ascii() != self.draft.name);
        if let Some((_, name)) = other {
            self.draft.twice = Some(name.to_owned());
            self.draft.class = self.draft.class.max(Class::Likely);
        }
        self.draft.is_partly_read |= self.draft.twice.is_some() && self.tag.name == self.draft.name;
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

    /// `</name>`, with the name of the tool.
    fn closes_by_name(&self, next: &Tag<'t>) -> bool {
        next.is_closing && next.name == self.draft.name
    }

    /// Passes over text up to `end`, and notes that it was not read unless it is blank.
    fn pass(&mut self, end: usize) {
        let unread = &self.text[self.at..end];
        self.draft.is_partly_read |= !unread.trim().is_empty();
        self.at = end;
    }

    /// Returns `true` if there are words right behind the tag of the call.
    fn is_about(&self) -> bool {
        let inner = self.text[self.tag.end..].trim_start();
        self.count == 0 && !inner.starts_with(['<', ']'])
    }

    /// Returns `true` if an element is an argument: the format has them so, or the tool declares
    /// it.
    fn is_argument(&self, next: &Tag<'t>, schemas: &mut Schemas<'_>) -> bool {
        next.is_element()
            && (self.tag.has_elements() && next.has_elements()
                || schemas.declares(&self.draft.name, next.name))
    }

    /// All arguments as one JSON object. Returns where the call ends.
    fn object(&mut self, budget: &mut Budget) -> Option<usize> {
        let (read, end) = arguments_at(self.text, self.at, budget);
        let name = std::mem::take(&mut self.draft.name);
        let class = self.draft.class.max(read.class);
        self.draft = CallDraft {
            name,
            class,
            ..read
        };
        let at = super::skip(self.text, end);
        // The bracket of the tag stands behind the arguments.
        let at = at + usize::from(self.text[at..].starts_with('>'));
        let closer = Tag::look_behind(self.text, at, budget).filter(|tag| tag.is_closing);
        Some(closer.map_or(end, |closer| closer.end))
    }

    fn argument(
        &mut self,
        tag: Tag<'t>,
        key: &str,
        schemas: &mut Schemas<'_>,
        budget: &mut Budget,
    ) {
        let had_reached_end = std::mem::take(&mut budget.reached_end);
        let mut value = value(self.text, &self.tag, tag, budget);
        // More text may tell that a closer is a part of the value.
        let is_sure = value.is_closed && !budget.reached_end && !had_reached_end;
        budget.reached_end |= had_reached_end;
        // The first bracket of its closer was lost.
        if !value.is_closed
            && let Some(text) = value.text.strip_suffix("/parameter>")
        {
            value.text = without_line_end(text);
            value.is_closed = true;
            self.draft.class = self.draft.class.max(Class::Likely);
        }
        if self.json.len() > 1 {
            self.json.push(',');
        }
        write_string(key, &mut self.json);
        self.json.push(':');
        let by_schema = schemas.takes(&self.draft.name, key);
        let is_declared = by_schema != Takes::Anything;
        let takes = match (tag.attribute("string"), tag.attribute("type")) {
            _ if is_declared => by_schema,
            // `<parameter name="a" string="true">5</parameter>`: the format says that the value is a text.
            // What the tool declares comes first.
            (Some("true"), _) => Takes::Text { or_null: false },
            (Some("false"), _) => Takes::Json,
            (_, Some("string")) if tag.is_separated() => Takes::Text { or_null: false },
            (_, Some(_)) if tag.is_separated() => Takes::Json,
            _ => by_schema,
        };
        let written = values::with_plain_line_ends(value.text);
        let decoded = match self.escapes {
            Escapes::Entities => unescaped(&written),
            Escapes::None => written.into_owned(),
        };
        let before = self.json.len();
        let draft = &mut self.draft;
        let place = (tag.end, value.end);
        let (json, read) = (&mut self.json, &mut draft.read);
        let sure = values::write(&decoded, takes, place, json, read, budget);
        draft.class = draft.class.max(sure);
        if value.spans_calls {
            draft.class = Class::Guess;
            draft.is_partly_read = true;
        }
        self.count += 1;
        let is_wrapper = self.count == 1 && !is_declared && WRAPPERS.contains(&key);
        self.wrapped = is_wrapper.then(|| object(&decoded, budget)).flatten();

        if is_sure && self.wrapped.is_none() {
            draft.settled = self.json.len();
        }
        let is_begun = !matches!(&self.text[tag.end..], "" | "\r") && !had_reached_end;
        let goes_on = is_begun && value.end == self.text.len();
        if !value.is_closed && goes_on && values::is_surely_text(&decoded, takes) {
            let start = tag.end + line_end(&self.text[tag.end..]);
            draft.open = Some(OpenArgument {
                at: start,
                form: Form::Tags {
                    closers: [tag.local_name(), self.tag.local_name()],
                    has_entities: self.escapes == Escapes::Entities,
                },
            });
            draft.settled = before + 1;
        }
        draft.complete &= value.is_closed || value.end < self.text.len();
        if !value.is_closed {
            draft.class = draft.class.max(Class::Likely);
        }
        self.at = value.end;
    }
}

/// Returns `true` if a tag that is none of a call's own says that the call is over: it closes
/// calls, ends the message, or begins the next call.
fn ends_calls(tag: &Tag<'_>) -> bool {
    let name = tag.normalized();
    super::is_end(&name) || tag.is_call() || Family::opens(&name, None)
}

/// Attributes that tags of calls and arguments have besides arguments.
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

/// Names of parameters that hold all arguments, where the tool does not declare them.
const WRAPPERS: &[&str] = &["arguments", "parameters", "input", "args", "kwargs"];

/// Returns the JSON text of an object that is strict JSON, as it is: names may come twice.
fn object(text: &str, budget: &mut Budget) -> Option<String> {
    let document = budget.read(text.trim());
    let is_strict = document.repairs().is_empty() && document.is_complete();
    let root = document
        .root()
        .filter(|root| is_strict && root.kind() == Kind::Object);
    root.map(|_| text.trim().to_owned())
}

/// A value between tags.
struct Value<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
    /// `true` if it has no closer of its own and holds the end of a call and right behind it the
    /// beginning of another.
    spans_calls: bool,
}

/// Reads the value after the tag of an argument. Tags of other formats are a part of it.
fn value<'t>(text: &'t str, call: &Tag<'t>, tag: Tag<'t>, budget: &mut Budget) -> Value<'t> {
    let mut first: Option<Tag<'t>> = None;
    let mut end_of_call = None;
    // Tags of the value itself that look like those of parameters and of calls.
    let (mut inner, mut inner_calls) = (0_u32, 0_u32);
    let (mut behind_end, mut spans_calls) = (None, false);
    let mut at = tag.end;
    while let Some(next) = next_tag(text, at, budget) {
        let after = text[next.end..].trim_start();
        let at_after = text.len() - after.len();
        let is_last = after.is_empty()
            || after.starts_with(PREFIX)
            || after.starts_with('<') && !is_of_others(text, at_after, call, budget);
        let may_be_last =
            after.is_empty() || after.starts_with('<') && may_become_tag(text, at_after, budget);
        if next.closes(&tag) {
            // `<parameter=a>see <parameter name="b">y</parameter></parameter>`: the closer belongs to a tag
            // within the value.
            if inner > 0 {
                inner -= 1;
            } else if is_last && inner_calls == 0 {
                budget.reached_end |= may_be_last;
                let closer = first.filter(|_| after.is_empty()).unwrap_or(next);
                return closed(text, tag, closer);
            }
            first = first.or(Some(next));
        }
        let begins_line = text[..next.start]
            .trim_end_matches(' ')
            .ends_with(['\n', '>']);
        let mut is_end = next.closes_call(call);
        let is_call = next.is_call() && next.is_of(call);
        spans_calls |=
            is_call && behind_end.is_some_and(|end| holds_tags_only(&text[end..next.start]));
        inner_calls += u32::from(is_call);
        if is_end && inner_calls > 0 {
            inner_calls -= 1;
            is_end = false;
        }
        if is_end {
            end_of_call = end_of_call.or(Some(next.start));
            behind_end = Some(next.end);
        }
        let is_parameter = next.parameter().is_some() && begins_line && inner_calls == 0;
        let is_own = is_parameter && next.is_dressed_like(&tag) && tag.parameter().is_some();
        inner += u32::from(is_parameter && !next.is_dressed_like(&tag) && next.is_of(&tag));
        if is_end && (is_last || begins_line) || is_own {
            budget.reached_end |= is_end && may_be_last && !begins_line;
            return match first {
                Some(closer) => Value {
                    spans_calls,
                    ..closed(text, tag, closer)
                },
                None => Value {
                    text: trimmed(&text[tag.end..next.start]),
                    end: next.start,
                    is_closed: false,
                    spans_calls,
                },
            };
        }
        at = next.end;
        if first.is_some() && budget.ends_search() {
            break;
        }
    }
    budget.reached_end = true;
    let end = end_of_call.unwrap_or(text.len());
    match first {
        Some(closer) => Value {
            spans_calls,
            ..closed(text, tag, closer)
        },
        None => Value {
            text: trimmed(&text[tag.end..end]),
            end,
            is_closed: false,
            spans_calls,
        },
    }
}

/// Returns `true` if nothing stands in a text outside of tags.
fn holds_tags_only(text: &str) -> bool {
    let mut parts = text.split('<');
    let is_begin = parts.next().is_none_or(|part| part.trim().is_empty());
    is_begin
        && parts.all(|part| {
            part.split_once('>')
                .is_some_and(|(_, rest)| rest.trim().is_empty())
        })
}

/// Returns `true` if a tag stands at a place that closes calls of another format.
fn is_of_others(text: &str, at: usize, call: &Tag<'_>, budget: &mut Budget) -> bool {
    Tag::look(text, at, budget).is_some_and(|tag| tag.closes_call(&tag) && !tag.closes_call(call))
}

fn closed<'t>(text: &'t str, tag: Tag<'t>, closer: Tag<'t>) -> Value<'t> {
    Value {
        text: trimmed(&text[tag.end..closer.begin()]),
        end: closer.end,
        is_closed: true,
        spans_calls: false,
    }
}

/// Lines of its own for the value are no part of it. What ends in a line feed and stands right behind its
/// tag has it as its own.
pub(super) fn trimmed(value: &str) -> &str {
    match line_end(value) {
        0 => value,
        length => without_line_end(&value[length..]),
    }
}

fn without_line_end(text: &str) -> &str {
    let line = text.strip_suffix('\n');
    line.map_or(text, |line| line.strip_suffix('\r').unwrap_or(line))
}

/// Returns the length of the end of line with which a text begins.
fn line_end(text: &str) -> usize {
    let before = usize::from(text.starts_with("\r\n"));
    before + usize::from(text[before..].starts_with('\n'))
}

fn next_tag<'t>(text: &'t str, mut at: usize, budget: &mut Budget) -> Option<Tag<'t>> {
    while let Some(found) = memchr(b'<', text.as_bytes().get(at..)?) {
        budget.charge(steps_of_search(found));
        if budget.is_used_up() {
            return None;
        }
        at += found;
        if let Some(tag) = Tag::look(text, at, budget) {
            return Some(tag);
        }
        budget.reached_end |= may_become_tag(text, at, budget);
        at += 1;
    }
    budget.charge(steps_of_search(text.len() - at));
    None
}

/// Decodes the five entities of XML.
fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
    ];
    let mut text = text.to_owned();
    for (entity, character) in entities {
        text = text.replace(entity, character);
    }
    text.replace("&amp;", "&")
}
