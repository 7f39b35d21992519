//! Calls that begin with the tool's name: `name[ARGS]{…}`, `name<sep>{…}`, a name and a line with
//! JSON, a name and pairs.

use std::ops::Range;

use llmjson_syntax::internal::zones::{closing_run, opening_line};
use llmjson_syntax::{Class, write_string};

use super::family::Shape;
use super::json::{NAME_BYTES_MAX, is_name, is_part, is_spaced};
use super::literal::{decoded, without_half_escape};
use super::members::behind_name;
use super::pieces::{Dress, KEY_BYTES_MAX, Part};
use super::scan::QUOTES;
use super::tag::{Tag, may_become_tag};
use super::values::{self, Schemas};
use super::{Budget, CallDraft, CallReading, Payload, arguments_at, is_end, near, skip};

/// Elements with the name of a tool.
const NAME_ELEMENTS: &[&str] = &["name", "functionname", "toolname", "begintoolname"];

/// Elements with all arguments as JSON.
const ARGUMENT_ELEMENTS: &[&str] = &["arguments", "parameters"];

/// The text before the arguments of a call.
struct Lead<'t> {
    name: &'t str,
    name_end: usize,
    id: Option<String>,
    has_separator: bool,
    class: Class,
}

/// Reads a name and its arguments, and returns their end. Only a name that may be without arguments
/// can have neither arguments nor a separator after it.
pub(super) fn call<'t>(
    text: &'t str,
    start: usize,
    opener: Tag<'t>,
    may_be_alone: bool,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize, Shape)> {
    let lead = Lead::at(text, start, schemas, budget)?;
    let class = lead.class;
    let (mut draft, end, shape) = behind(lead, text, start, opener, may_be_alone, schemas, budget)?;
    draft.class = draft.class.max(class);
    Some((draft, end, shape))
}

/// Returns `true` if an element contains a tool's name at a position: `<name>weather</name>`.
pub(super) fn begins_with_element(
    text: &str,
    start: usize,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> bool {
    text[start..].starts_with('<') && Lead::in_element(text, start, schemas, budget).is_some()
}

/// Reads the arguments after a name.
fn behind<'t>(
    mut lead: Lead<'t>,
    text: &'t str,
    start: usize,
    opener: Tag<'t>,
    may_be_alone: bool,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize, Shape)> {
    let mut at = lead.name_end;
    loop {
        let before = at;
        at = skip(text, at);
        let rest = &text[at..];
        // A fence with its language may separate the name from the JSON.
        if let Some(line) = opening_line(rest) {
            at += line;
            continue;
        }
        // `<![weather>{"city": "Oslo"}`
        if let Some(behind) = rest.strip_prefix('>') {
            let behind = skip(text, text.len() - behind.len());
            let tag = Tag::look(text, behind, budget);
            let dress = Dress::paired(&opener, schemas.only, tag);
            let key = tag.and_then(|tag| dress.part(&tag));
            if !text[behind..].starts_with('{') && key != Some(Part::Key) {
                return None;
            }
            lead.has_separator = true;
            at = behind;
            continue;
        }
        // `f[ARGS]{"a": "x"}`, or the JSON encoded once more as a string: `"{\"a\": \"x\"}"`.
        if rest.starts_with('{') || rest.starts_with('"') && lead.has_separator {
            return lead.with_json(text, at, budget);
        }
        let tag = Tag::look(text, at, budget);
        if let Some(tag) = tag
            && let Some(end) = lead.pass(text, &tag, schemas, budget)?
        {
            at = end;
            continue;
        }
        let name = lead.name;
        if let Some((name, at, dress)) = lead.members(text, at, tag, opener, schemas, budget) {
            let shape = match dress {
                Dress::Named(_) => Shape::Xml,
                Dress::Paired { .. } => Shape::Pairs,
            };
            let (draft, end) = behind_name(text, name, (opener, dress), at, schemas, budget)?;
            return Some((draft, end, shape));
        }
        if before < at
            && !text[before..at].contains('\n')
            && let Some((draft, end)) = attributes(text, name, at, schemas, budget)
        {
            return Some((draft, end, Shape::Pairs));
        }
        // The beginning of DeepSeek's `function<｜tool▁sep｜>name`.
        if name == "function" && !schemas.knows(name) {
            return None;
        }
        // The tag after the name is not complete yet.
        if rest.starts_with(['<', '[']) && tag.is_none() && may_become_tag(text, at, budget) {
            budget.reached_end = true;
            // A word before a tag may be prose, or be followed by the name of an argument.
            let draft = CallDraft {
                is_name_open: !schemas.knows(name),
                ..lead.without_arguments()
            };
            return Some((draft, text.len(), Shape::Named));
        }
        // In prose, a word may be between two markers.
        let is_word = text[..start].ends_with(' ') && !schemas.knows(name) && !lead.has_separator;
        if !(may_be_alone || lead.has_separator) || is_word {
            return None;
        }
        budget.reached_end |= rest.is_empty();
        let mut draft = lead.alone(text, before..at, tag, &opener, schemas)?;
        draft.is_name_open |= budget.reached_end && !schemas.knows(lead.name);
        return Some((draft, before, Shape::Pairs));
    }
}

impl<'t> Lead<'t> {
    fn at(text: &'t str, start: usize, schemas: Schemas<'_>, budget: &mut Budget) -> Option<Self> {
        if let Some(lead) = Self::in_element(text, start, schemas, budget) {
            return Some(lead);
        }
        let spaced = spaced_name(text, start, schemas, budget);
        let (name, name_end) = spaced.or_else(|| name_at(text, start, budget))?;
        // The kind of the call precedes its name, on a separate line.
        if name == "function" && text[name_end..].starts_with('\n') && !schemas.knows(name) {
            let inner = Self::at(text, name_end + 1, schemas, budget);
            return inner.filter(|lead| lead.name != name);
        }
        Some(Self {
            name,
            name_end,
            id: None,
            has_separator: false,
            class: Class::Certain,
        })
    }

    /// `<name>weather</name>`
    fn in_element(
        text: &'t str,
        start: usize,
        schemas: Schemas<'_>,
        budget: &mut Budget,
    ) -> Option<Self> {
        let tag = Tag::look(text, start, budget)?;
        if !tag.is_element() || tag.is_call() {
            return None;
        }
        let length = name_length(text, tag.end, &['<', '[', '{', '\n', '('], budget);
        let end = tag.end + length;
        let name = text[tag.end..end].trim_ascii();
        let is_of_names = NAME_ELEMENTS.contains(&&*tag.local_name());
        if !(schemas.knows(name) || is_of_names && is_name(name)) {
            return None;
        }
        let closer = Tag::look(text, end, budget)?;
        // The closer of a name may be missing before the arguments.
        let is_begin = closer.normalized() == "begintoolarguments";
        if !(closer.ends(&tag) || is_begin) {
            return None;
        }
        Some(Self {
            name,
            name_end: if is_begin { closer.start } else { closer.end },
            id: None,
            has_separator: false,
            class: match tag.normalized() == "begintoolname" && !is_begin {
                true => Class::Certain,
                false => Class::Likely,
            },
        })
    }

    /// Skips a tag between name and arguments, and returns the offset at which to continue. The
    /// outer `None` means that this is not a call.
    #[expect(
        clippy::option_option,
        reason = "a name that is none ends the reading of the call"
    )]
    fn pass(
        &mut self,
        text: &'t str,
        tag: &Tag<'t>,
        schemas: Schemas<'_>,
        budget: &mut Budget,
    ) -> Option<Option<usize>> {
        let at = match &*tag.normalized() {
            // `function<｜tool▁sep｜>f`: the kind of the call precedes its name.
            "toolsep" if self.name == "function" => {
                let lead = Self::at(text, tag.end, schemas, budget)?;
                (self.name, self.name_end) = (lead.name, lead.name_end);
                lead.name_end
            }
            // `f[CALL_ID]abc[ARGS]{…}`
            "callid" => {
                let (id, end) = name_at(text, tag.end, budget)?;
                self.id = Some(id.to_owned());
                end
            }
            "args"
            | "toolsep"
            | "toolcallargumentbegin"
            | "begintoolarguments"
            | "content"
            | "message" => tag.end,
            word if tag.is_element()
                && ARGUMENT_ELEMENTS.contains(&word)
                && !schemas.declares(self.name, tag.name) =>
            {
                tag.end
            }
            _ => return Some(None),
        };
        self.has_separator = true;
        Some(Some(at))
    }

    /// Returns the tool's name, the beginning of its arguments, and their format, if there are
    /// pairs or elements at a position.
    fn members(
        &self,
        text: &'t str,
        at: usize,
        tag: Option<Tag<'t>>,
        opener: Tag<'t>,
        schemas: Schemas<'_>,
        budget: &mut Budget,
    ) -> Option<(&'t str, usize, Dress<'t>)> {
        let next = || Some(at + near(text, at, KEY_BYTES_MAX).find('<')?);
        let first = tag.or_else(|| Tag::look(text, next()?, budget));
        let (name, dress) = (self.name, Dress::paired(&opener, schemas.only, first));
        let part = tag.and_then(|tag| dress.part(&tag));
        // `weathercity</arg_key>`
        if part == Some(Part::KeyEnd)
            && let Some(length) = schemas.tool_and_argument(name, budget)
        {
            return Some((&name[..length], self.name_end - name.len() + length, dress));
        }
        if part == Some(Part::Key) || dress.starts_pair(text, at, budget) {
            return Some((name, at, dress));
        }
        let tag = tag.filter(|tag| tag.is_element() && schemas.declares(name, tag.name));
        tag.map(|_| (name, at, Dress::Named(opener)))
    }

    /// Reads the arguments as JSON, which may be encoded once more as a string.
    fn with_json(
        self,
        text: &str,
        at: usize,
        budget: &mut Budget,
    ) -> Option<(CallDraft, usize, Shape)> {
        let (read, end) = match text[at..].starts_with('"') {
            true => text_arguments(text, at, budget),
            false => arguments_at(text, at, budget),
        };
        let mut draft = CallDraft {
            id: self.id,
            ..read
        };
        draft.set_name(self.name);
        let after = skip(text, end);
        let closer = Tag::look_behind(text, after, budget).filter(|tag| tag.is_closing);
        if let Some(closer) = closer.filter(|one| ARGUMENT_ELEMENTS.contains(&&*one.normalized())) {
            return Some((draft, closer.end, Shape::Named));
        }
        let is_text = matches!(draft.arguments, Payload::Text { .. });
        let closer = closing_run(&text[after..]).filter(|_| !is_text);
        let end = closer.map_or(end, |length| after + length);
        Some((draft, end, Shape::Named))
    }

    /// Returns a call without arguments: only if a marker ends it, or it is unambiguous. Spaces
    /// separate the name from a tag.
    fn alone(
        &self,
        text: &str,
        spaces: Range<usize>,
        tag: Option<Tag<'_>>,
        opener: &Tag<'_>,
        schemas: Schemas<'_>,
    ) -> Option<CallDraft> {
        let (name, has_separator) = (self.name, self.has_separator);
        let rest = &text[spaces.end..];
        let ends = tag.is_some_and(|tag| tag.is_closing || is_end(&tag.normalized()));
        let is_alone = ends
            || (rest.is_empty() || text[spaces].contains('\n'))
                && (schemas.knows(name) || has_separator)
            || rest.is_empty() && name.contains('_');
        if !is_alone {
            return None;
        }
        let mut draft = self.without_arguments();
        // After `functions.name:` there is only a number.
        let is_numbered = name.starts_with("functions.") && name.contains(':');
        let is_closed = is_numbered || text[..self.name_end].ends_with('>');
        draft.is_name_open = self.name_end == text.len() && !is_closed;
        // Without an end arguments may follow, unless the format has none and the tool takes none.
        let is_all = rest.is_empty() && !has_separator && opener.raw.starts_with('[');
        draft.complete = ends || is_all && schemas.takes_nothing(name);
        Some(draft)
    }

    fn without_arguments(&self) -> CallDraft {
        let mut draft = CallDraft {
            id: self.id.clone(),
            complete: false,
            ..CallDraft::default()
        };
        draft.set_name(self.name);
        draft
    }
}

/// Reads arguments that were encoded once more as a string: `"{\"city\": \"Oslo\"}"`.
fn text_arguments(text: &str, start: usize, budget: &mut Budget) -> (CallDraft, usize) {
    let closer = QUOTES.end(text, start + 1);
    let end = closer.map_or(text.len(), |at| at + 1);
    budget.charge(end - start);
    budget.reached_end |= closer.is_none();
    let string = (start + 1, closer.unwrap_or(end));
    let json = decoded(without_half_escape(&text[string.0..string.1]));
    let draft = CallDraft {
        arguments: Payload::Text {
            json,
            string: Some(string),
        },
        read: CallReading::of(&budget.read(&text[start..end]), string),
        complete: closer.is_some(),
        ..CallDraft::default()
    };
    (draft, end)
}

/// Returns the length of a name that ends before one of these characters, or is too long.
fn name_length(text: &str, start: usize, ends: &[char], budget: &mut Budget) -> usize {
    let begin = near(text, start, NAME_BYTES_MAX + 1);
    let end = begin.find(ends);
    budget.reached_end |= end.is_none() && start + begin.len() == text.len();
    let length = end.unwrap_or(begin.len());
    budget.charge(length);
    length
}

/// Returns the word at a place: the name of a tool, or an ID.
fn name_at<'t>(text: &'t str, start: usize, budget: &mut Budget) -> Option<(&'t str, usize)> {
    let start = skip(text, start);
    let length = name_length(text, start, &['<', '>', '[', '{', '\n', '(', ' '], budget);
    let name = text[start..start + length].trim_ascii_end();
    is_name(name).then_some((name, start + length))
}

/// Returns the name of a tool written with spaces at a place: `get weather<arg_key>`.
fn spaced_name<'t>(
    text: &'t str,
    start: usize,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(&'t str, usize)> {
    let length = name_length(text, start, &['<', '[', '{', '\n', '('], budget);
    let name = text[start..start + length].trim_ascii_end();
    let is_one = name.contains(' ') && is_spaced(name) && schemas.knows(name);
    is_one.then_some((name, start + length))
}

/// Reads `key=value key="value"` up to a marker that ends the call.
fn attributes(
    text: &str,
    name: &str,
    start: usize,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let mut draft = CallDraft {
        class: Class::Likely,
        ..CallDraft::default()
    };
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    let end = loop {
        at = skip(text, at);
        budget.read_to = at;
        if let Some(tag) = Tag::look(text, at, budget) {
            let ends = tag.is_closing || is_end(&tag.normalized());
            break (ends && json.len() > 1).then_some(at)?;
        }
        let rest = &text[at..];
        let length = rest.find(|one| !is_part(one))?;
        let key = &rest[..length];
        let value = rest[length..].strip_prefix('=').filter(|_| length > 0)?;
        let quote = value.chars().next().filter(|one| "\"'".contains(*one));
        let parts = match quote {
            Some(quote) => value[1..].split_once(quote),
            None => (value.find(|one: char| one.is_whitespace() || one == '<'))
                .map(|end| value.split_at(end)),
        };
        let Some((value, behind)) = parts else {
            budget.read_to = text.len();
            return None;
        };
        let after = text.len() - behind.len();
        budget.charge(after - at);
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key, &mut json);
        json.push(':');
        let takes = schemas.takes(&draft.name, key);
        values::write(
            value,
            takes,
            (at, after),
            &mut json,
            &mut draft.read,
            budget,
        );
        at = after;
    };
    json.push('}');
    draft.arguments = Payload::Built(json);
    Some((draft, end))
}
