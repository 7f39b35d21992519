//! Calls written as JSON.

use llmjson_schema::internal::{ARGUMENTS, TOOL_NAMES as NAMES};
use llmjson_syntax::internal::provider::{BLOCK_TEXTS, BLOCKS, CALL_IDS, CALL_LISTS, CALLS};
use llmjson_syntax::{Class, Document, Kind, ValueRef, steps_of_search};
use memchr::memmem;

use super::values::Schemas;
use super::{Budget, CallDraft, CallReading, Payload, near};

/// Words that occur in the key of the tool's name, in any spelling.
pub(super) const NAMING: [&str; 4] = ["name", "tool", "function", "action"];

/// Keys of the member with the tool's result: the call was made before.
const RESULTS: &[&str] = &["result", "results", "output", "response", "observation"];

/// Keys that models write beside the name and the arguments of a call.
const BESIDE: &[&str] = &[
    "explanation",
    "index",
    "rationale",
    "reason",
    "reasoning",
    "thought",
    "thoughts",
    "type",
];

/// Approximate number of members of an object that are looked up by key.
const GETS: usize = 32;

/// Maximum length of a tool's name, in bytes.
pub(super) const NAME_BYTES_MAX: usize = 256;

/// The context of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// A call marker precedes it.
    Marked,
    /// Text that does not announce a call.
    Bare,
    /// A call marker precedes it, and the value is unfinished.
    Begun,
}

impl Setting {
    /// Returns `true` if no text announces a call.
    fn is_bare(self) -> bool {
        self != Self::Marked
    }
}

/// Returns the end of the JSON container that begins at `start`, by its brackets and quotes.
pub(super) fn extent(text: &str, start: usize, budget: &mut Budget) -> Option<usize> {
    let stop = budget.stop_of_search(start, text.len());
    let mut brackets = Brackets::from(start);
    let end = brackets.close(&text.as_bytes()[..stop]);
    budget.charge(end.unwrap_or(stop.max(start)) - start);
    budget.reached_end |= end.is_none() && stop == text.len();
    budget.is_short |= end.is_none() && stop < text.len();
    end
}

/// The brackets and quotes of JSON that arrives in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Brackets {
    pub(super) at: usize,
    depth: u32,
    pub(super) is_text: bool,
    /// `true` if a backslash precedes each quote, as in a string: `{\"city\": \"Oslo\"}`.
    is_escaped: bool,
}

impl Brackets {
    pub(super) const fn from(at: usize) -> Self {
        Self {
            at,
            depth: 0,
            is_text: false,
            is_escaped: false,
        }
    }

    /// Skips a part of the text up to the bracket that closes the outermost one, and returns its
    /// end.
    pub(super) fn close(&mut self, text: &[u8]) -> Option<usize> {
        let mut before = None;
        while self.at < text.len() && before != Some(self.at) {
            before = Some(self.at);
            if self.step(text) {
                return Some(self.at);
            }
        }
        None
    }

    /// Returns `true` if a closing bracket here closes the outermost one.
    pub(super) fn is_last(&self) -> bool {
        !self.is_text && self.depth <= 1
    }

    /// Skips a character or an escape, unless the text ends in the escape. Returns `true` after the
    /// bracket that closes the outermost one.
    pub(super) fn step(&mut self, text: &[u8]) -> bool {
        match text[self.at] {
            b'\\' if self.at + 1 == text.len() => return false,
            b'\\' if !self.is_text || self.is_escaped => {
                let is_quote = text[self.at + 1] == b'"';
                self.is_text ^= is_quote;
                self.is_escaped = self.is_text;
                // `\\\"` is a quote in the string.
                let is_inner = text[self.at + 1..].starts_with(b"\\\\\"");
                self.at += usize::from(is_quote) + 3 * usize::from(is_inner);
            }
            b'\\' => self.at += 1,
            b'"' => (self.is_text, self.is_escaped) = (!self.is_text, false),
            b'{' | b'[' if !self.is_text => self.depth += 1,
            b'}' | b']' if !self.is_text => {
                self.depth = self.depth.saturating_sub(1);
                self.at += 1;
                return self.depth == 0;
            }
            _ => {}
        }
        self.at += 1;
        false
    }
}

/// The search for calls in JSON.
#[derive(Clone, Copy)]
pub(super) struct Finder<'r> {
    /// The place of the JSON in the reply.
    pub(super) start: usize,
    pub(super) setting: Setting,
    pub(super) schemas: Schemas<'r>,
}

/// Returns the calls that a document contains: one, an array of them, or `{"tool_calls": […]}`.
pub(super) fn calls(
    document: &Document<'_>,
    finder: Finder<'_>,
    budget: &mut Budget,
) -> Vec<CallDraft> {
    let mut found = Vec::new();
    let Some(root) = document.root() else {
        return found;
    };
    let class = document.certainty();
    let complete = super::is_whole(document);
    finder.collect(root, &mut found, budget);
    let readings = CallReading::of_each(document, &found, finder.start);
    for (draft, reading) in found.iter_mut().zip(readings) {
        draft.read = reading;
    }
    // An unquoted name is a word, unless a tool has that name.
    if class != Class::Certain {
        let mut is_quoted = |name: &str| {
            let text = document.text().as_bytes();
            ["\"", "'"].iter().any(|quote| {
                let quoted = format!("{quote}{name}");
                let found = memmem::find(text, quoted.as_bytes()).filter(|_| !budget.is_used_up());
                budget.charge(steps_of_search(found.unwrap_or(text.len())));
                found.is_some()
            })
        };
        found.retain(|draft| finder.knows(&draft.name) || is_quoted(&draft.name));
    }
    if let Some(last) = found.last_mut() {
        last.complete &= complete;
    }
    found
}

/// Returns `true` if the first member of an object, or of the first object in an array, is typical
/// of calls.
pub(super) fn begins_call(value: ValueRef<'_>) -> bool {
    const PARTS: &[&str] = &[
        "name", "tool", "function", "action", "arg", "param", "input", "id", "type", "call",
    ];
    let object = match value.kind() {
        Kind::Array => value.items().next(),
        _ => Some(value),
    };
    let first = object.and_then(|object| object.members().next());
    first.is_some_and(|(name, _)| PARTS.iter().any(|part| name.contains(part)))
}

/// Returns `true` if a tool may be named near the beginning of JSON without a marker: by a member,
/// or by its first key.
pub(super) fn may_name_tool(text: &str, is_known: &dyn Fn(&str) -> bool) -> bool {
    let near = near(text, 0, 2 * NAME_BYTES_MAX);
    let first = near.split('"').nth(1).unwrap_or_default();
    let is_near = |word: &&str| memmem::find(near.as_bytes(), word.as_bytes()).is_some();
    is_known(first) || NAMING.iter().any(is_near)
}

/// Returns `true` if a key belongs to calls.
pub(super) fn is_of_call(key: &str) -> bool {
    [NAMES, ARGUMENTS, RESULTS, CALL_IDS, CALLS, BESIDE]
        .iter()
        .any(|keys| keys.contains(&key))
}

impl Finder<'_> {
    /// Returns `true` if a tool has this name, which must be exact if the JSON is unfinished.
    fn knows(self, name: &str) -> bool {
        match self.setting {
            Setting::Begun => self.schemas.has(name),
            _ => self.schemas.knows(name),
        }
    }

    fn collect(self, value: ValueRef<'_>, found: &mut Vec<CallDraft>, budget: &mut Budget) {
        let mut call = |value: ValueRef<'_>| {
            budget.charge(GETS * value.len());
            let mut draft = self.call(value)?;
            let span = value.span().unwrap_or_default();
            draft.span = (
                span.start as usize + self.start,
                span.end as usize + self.start,
            );
            Some(draft)
        };
        match value.kind() {
            Kind::Array => {
                let mut drafts = Vec::new();
                for item in value.items() {
                    match call(item) {
                        Some(draft) => drafts.push(draft),
                        // An array of other things contains no calls, unless a marker precedes it.
                        None if self.setting.is_bare() && !is_block(item) => return,
                        None => {}
                    }
                }
                found.append(&mut drafts);
            }
            Kind::Object => match list_of(value) {
                // `{"tool_calls": [{"name": "f", "arguments": {…}}]}`: the format of whole
                // responses.
                Some((calls, setting)) => {
                    let first = found.len();
                    let setting = setting.unwrap_or(self.setting);
                    Self { setting, ..self }.collect(calls, found, budget);
                    let is_done = has_result(value);
                    found[first..]
                        .iter_mut()
                        .for_each(|draft| draft.is_done |= is_done);
                }
                None => found.extend(call(value)),
            },
            _ => {}
        }
    }

    fn call(self, value: ValueRef<'_>) -> Option<CallDraft> {
        if value.kind() != Kind::Object {
            return None;
        }
        let mut inner = CALLS.iter().filter_map(|key| value.get(key));
        let inner = inner.find(|inner| inner.kind() == Kind::Object);
        let inner = inner.unwrap_or(value);
        let text = |names: &[&str], of: ValueRef<'_>| {
            let mut names = names.iter().filter_map(|name| of.get(name));
            names.find_map(|value| value.as_str().map(std::borrow::Cow::into_owned))
        };
        let id = text(CALL_IDS, value);
        let mut arguments = ARGUMENTS.iter().filter_map(|name| inner.get(name));
        // A name with a space matches a tool that has another separator in its place.
        let fits = |name: &String| is_name(name) || is_spaced(name) && self.knows(name);
        let name = text(NAMES, inner).filter(|name| fits(name) || name.contains(['<', '>']));
        let is_marked_up = name.as_ref().is_some_and(|name| !fits(name));
        let name = match name {
            // `<function=weather>` instead of `weather`.
            Some(name) if is_marked_up => without_markup(&name, self.schemas).map(str::to_owned),
            name => name,
        };
        let Some(name) = name else {
            return self.by_key(value);
        };
        let arguments = arguments.next();
        let twice = said_twice(&name, arguments, [value, inner], self.schemas);
        // `{"ts": 1, "name": "f", "arguments": {}, "status": "denied"}`: an entry of a log.
        if self.setting.is_bare() && !value.members().all(|(key, _)| is_of_call(&key)) {
            return None;
        }
        // `{"name": "f", "description": "…"}`: the declaration of a tool, or any object with a name.
        if self.setting.is_bare() && (arguments.is_none() || is_declaration(inner)) {
            return None;
        }
        if self.setting == Setting::Begun
            && arguments.is_some_and(|value| may_become_schema(inner, value))
        {
            return None;
        }
        // `name` and `input` may be anything, unless other evidence shows that this is a call.
        let is_named = NAMES.iter().skip(1).any(|name| inner.get(name).is_some());
        let is_typed = value.get("type").is_some() || is_named || self.knows(&name);
        let has_arguments = ARGUMENTS[..2].iter().any(|name| inner.get(name).is_some());
        if self.setting.is_bare() && !is_typed && !has_arguments {
            return None;
        }
        if self.setting.is_bare()
            && arguments
                .is_some_and(|value| value.kind() != Kind::Object && value.kind() != Kind::String)
        {
            return None;
        }
        Some(CallDraft {
            name,
            id,
            arguments: arguments
                .map_or_else(Payload::empty, |value| Payload::of(value, self.start)),
            class: if is_marked_up || twice.is_some() {
                Class::Likely
            } else {
                Class::Certain
            },
            is_name_open: is_open(value, inner),
            twice,
            is_done: has_result(value) || has_result(inner),
            ..CallDraft::default()
        })
    }

    /// `{"name": {…}}`: the key of the only member is the name of the tool.
    fn by_key(self, value: ValueRef<'_>) -> Option<CallDraft> {
        let mut members = value.members();
        let (name, arguments) = members.next()?;
        let is_named = is_name(&name) || is_spaced(&name) && self.knows(&name);
        let fits = members.next().is_none() && arguments.kind() == Kind::Object && is_named;
        if !fits || self.setting.is_bare() && !self.knows(&name) {
            return None;
        }
        if NAMES.contains(&&*name) || ARGUMENTS.contains(&&*name) {
            return None;
        }
        Some(CallDraft {
            // Further members may show that it is not a call.
            is_name_open: !self.knows(&name),
            name: name.into_owned(),
            arguments: Payload::of(arguments, self.start),
            class: Class::Likely,
            ..CallDraft::default()
        })
    }
}

/// Returns the list of calls in a message: `{"tool_calls": […]}`, or the blocks of its content. All
/// blocks must then be calls or text.
fn list_of(message: ValueRef<'_>) -> Option<(ValueRef<'_>, Option<Setting>)> {
    let mut lists = CALL_LISTS.iter().filter_map(|key| message.get(key));
    let role = message.get("role").and_then(ValueRef::as_str);
    let mut contents = BLOCKS.iter().filter_map(|key| message.get(key));
    let content = contents.next().map(|content| (content, None));
    let calls = lists.find(|calls| calls.kind() == Kind::Array);
    let calls = calls.map(|calls| (calls, Some(Setting::Marked)));
    calls.or(content.filter(|(content, _)| {
        let is_own = role.is_some_and(|role| role == "assistant" || role == "model");
        is_own && content.kind() == Kind::Array
    }))
}

/// Returns `true` if a value is a block of a message's text: `{"type": "text", "text": "…"}`.
fn is_block(value: ValueRef<'_>) -> bool {
    value.kind() == Kind::Object && BLOCK_TEXTS.iter().any(|key| value.get(key).is_some())
}

/// Returns another tool name in the objects of a call, `{"name": "f", "function": "g"}`, or the
/// same name if they have a second set of arguments:
/// `{"arguments": {"a": 1}, "parameters": {"a": 2}}`.
fn said_twice(
    name: &str,
    arguments: Option<ValueRef<'_>>,
    objects: [ValueRef<'_>; 2],
    schemas: Schemas<'_>,
) -> Option<String> {
    let members = || objects.into_iter().flat_map(ValueRef::members_written);
    let mut names = members().filter(|(key, _)| NAMES.contains(&&**key));
    let other = names.find_map(|(_, value)| {
        let other = value.as_str().filter(|other| is_name(other))?;
        (other != name && without_markup(&other, schemas).is_none_or(|other| other != name))
            .then(|| other.into_owned())
    });
    let is_other = |value: &ValueRef<'_>| {
        let differs = |one: ValueRef<'_>| one.id() != value.id() && one != *value;
        !value.is_null() && arguments.is_some_and(differs)
    };
    let mut others =
        members().filter(|(key, value)| ARGUMENTS.contains(&&**key) && is_other(value));
    other.or_else(|| others.next().map(|_| name.to_owned()))
}

/// Returns `true` if the object of a call contains the tool's result, or is the result's message.
fn has_result(value: ValueRef<'_>) -> bool {
    let role = value.get("role").and_then(ValueRef::as_str);
    if role.is_some_and(|role| role == "tool" || role == "function") {
        return true;
    }
    let mut results = RESULTS.iter().filter_map(|name| value.get(name));
    results.any(|result| match result.kind() {
        Kind::Null => false,
        _ => result.as_str().is_none_or(|text| !text.is_empty()),
    })
}

/// Returns `true` if the text of an object ends in the name of its tool.
fn is_open(value: ValueRef<'_>, inner: ValueRef<'_>) -> bool {
    let mut names = NAMES.iter().filter_map(|name| inner.get(name));
    let name = names.find(|name| name.kind() == Kind::String);
    match (name.and_then(|name| name.span()), value.span()) {
        (Some(name), Some(object)) => name.end >= object.end,
        _ => false,
    }
}

/// Returns `true` if an object declares a tool rather than calls it.
fn is_declaration(value: ValueRef<'_>) -> bool {
    let has = |value: ValueRef<'_>, name: &str| value.get(name).is_some();
    let parameters = value
        .get("parameters")
        .or_else(|| value.get("input_schema"));
    let is_schema = parameters.is_some_and(|schema| {
        has(schema, "properties") && (has(schema, "type") || has(schema, "required"))
    });
    is_schema || has(value, "description") && !has(value, "arguments")
}

/// Returns `true` if the arguments of an unfinished object may turn out to be a declaration's
/// schema.
fn may_become_schema(inner: ValueRef<'_>, arguments: ValueRef<'_>) -> bool {
    let words = ["type", "properties", "required", "title", "description"];
    let mut names = arguments.members().map(|(name, _)| name);
    inner.get("arguments").is_none()
        && names.all(|name| name.starts_with('$') || words.contains(&&*name))
}

/// Returns `true` if a character may be part of a word that names something.
pub(super) fn is_part(one: char) -> bool {
    one.is_alphanumeric() || "_-.".contains(one)
}

/// Returns `true` if a text may be a tool's name written with spaces: `Get Weather`.
pub(super) fn is_spaced(name: &str) -> bool {
    name.len() <= NAME_BYTES_MAX && name.split(' ').all(is_name)
}

/// Returns the name of a tool within markup: `<function=weather>`, `<b>weather</b>`.
pub(super) fn without_markup<'n>(name: &'n str, schemas: Schemas<'_>) -> Option<&'n str> {
    let mut words = name.split(|one: char| "<>=/ \"".contains(one));
    words.find(|word| schemas.knows(word))
}

/// Returns `true` if a text may name a tool: one word.
pub(super) fn is_name(name: &str) -> bool {
    let is_part =
        |one: char| !one.is_whitespace() && !one.is_control() && !"{}[]()<>,;".contains(one);
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.chars().all(is_part)
}
