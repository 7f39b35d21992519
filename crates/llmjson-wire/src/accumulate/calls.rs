//! Assembles tool calls: decides which piece belongs to which call.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::accumulate::merge::{Merged, Rules, Scope};
use crate::accumulate::text::GrowingText;
use crate::accumulate::view::{CallView, FunctionView, JsonText};
use crate::arguments::{Arguments, ArgumentsForm};
use crate::message::{Function, ToolCall};
use crate::raw::Raw;

/// The treatment of function names that arrive more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// Uses the last name that is not empty: some servers repeat it in every piece.
    #[default]
    LastWins,
    /// Concatenates the pieces, since some servers split the name.
    Joined,
    /// Repeated or joined, until the arguments begin: a name that begins with the name so far
    /// replaces it, and any other name is a further piece.
    Grown,
}

/// A tool call as received so far.
///
/// ```
/// use llmjson_wire::Accumulator;
///
/// let mut reply = Accumulator::new();
/// let piece = |json| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{json}]}}}}]}}"#);
/// reply.push_text(&piece(r#"{"index":0,"id":"c1","function":{"name":"weather","arguments":"{\"ci"}}"#))?;
/// let call = &reply.tool_calls()[0];
/// assert_eq!((call.name(), call.arguments()), ("weather", "{\"ci"));
///
/// reply.push_text(&piece(r#"{"index":0,"function":{"arguments":"ty\":\"Oslo\"}"}}"#))?;
/// assert_eq!(reply.tool_calls()[0].arguments(), "{\"city\":\"Oslo\"}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallState {
    index: u32,
    id: Option<String>,
    kind: Option<String>,
    name: String,
    function: bool,
    arguments: GrowingText,
    form: ArgumentsForm,
    extras: Merged,
    function_extras: Merged,
    /// The original index.
    given: Option<u32>,
}

impl CallState {
    /// Returns the index of the call in the message.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the id of the call, or an empty string before it arrives.
    #[must_use]
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    /// Returns the name of the function, or an empty string before it arrives.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the arguments received so far. The text only grows, so a reader can continue where
    /// it stopped.
    #[must_use]
    pub fn arguments(&self) -> &str {
        self.arguments.as_str()
    }

    /// Returns the call as received so far.
    #[must_use]
    pub fn to_tool_call(&self) -> ToolCall {
        let text = self.arguments.as_str();
        let arguments = match self.form {
            ArgumentsForm::Text => Arguments::from_text(text),
            // Several pieces of JSON need not form JSON.
            ArgumentsForm::Json => Raw::from_text(text).map_or_else(
                |_| Arguments::from_text(text),
                |raw| Arguments::from_json(&raw),
            ),
        };
        let name = (!self.name.is_empty()).then(|| self.name.clone());
        let function = Function {
            name,
            arguments: Some(arguments),
            extras: self.function_extras.to_extras(),
        };
        ToolCall {
            index: Some(self.index),
            id: self.id.clone(),
            kind: self.kind.clone(),
            function: self.function.then_some(function),
            extras: self.extras.to_extras(),
        }
    }

    fn add(&mut self, piece: CallView<'_>, choice: u32, names: Names, rules: &mut Rules) {
        let call = self.index;
        keep_last(&mut self.id, piece.id);
        keep_last(&mut self.kind, piece.kind);
        self.extras
            .merge(piece.extras, Scope::ToolCall { choice, call }, rules);
        let Some(function) = piece.function else {
            return;
        };
        self.function = true;
        self.add_name(&function, names);
        match function.arguments {
            JsonText::None => {}
            JsonText::Text(text) => self.arguments.push(text),
            JsonText::Json(json) => match inside_quotes(json) {
                Some(inner) => self.arguments.push_escaped(inner),
                None => {
                    self.form = ArgumentsForm::Json;
                    self.arguments.push(json);
                }
            },
        }
        let scope = Scope::Function { choice, call };
        self.function_extras.merge(function.extras, scope, rules);
    }

    fn add_name(&mut self, function: &FunctionView<'_>, names: Names) {
        let name = function.name.as_deref().unwrap_or_default();
        match names {
            _ if name.is_empty() => {}
            Names::LastWins => name.clone_into(&mut self.name),
            Names::Joined => self.name.push_str(name),
            Names::Grown if !self.name.is_empty() && !self.arguments.as_str().is_empty() => {}
            Names::Grown if name.starts_with(&self.name) => name.clone_into(&mut self.name),
            Names::Grown => self.name.push_str(name),
        }
    }

    /// Returns `true` if a piece begins another call, although it has the index of this one:
    /// servers that give every call the index 0 send a name and a new id, or no id and an object
    /// after a complete one.
    fn is_over_before(&self, piece: &CallView<'_>) -> bool {
        let id = piece.id.as_deref().unwrap_or_default();
        let function = piece.function.as_ref();
        let name = function.and_then(|function| function.name.as_deref());
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return false;
        };
        let arguments = function.map_or("", |function| function.arguments.text());
        let (own, arguments) = (self.arguments.as_str().trim(), arguments.trim());
        let begins = arguments.starts_with('{');
        if id.is_empty() || self.id().is_empty() {
            return own.starts_with('{') && own.ends_with('}') && begins;
        }
        if id == self.id() {
            return false;
        }
        // Some servers repeat the name with a new id in every piece of one call.
        let goes_on = match own.is_empty() {
            true => !arguments.is_empty(),
            false => !arguments.is_empty() && (!begins || own.ends_with([':', ',', '['])),
        };
        name != self.name || !goes_on
    }
}

/// Returns the text between the quotes, if the JSON is a string.
pub(crate) fn inside_quotes(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// Takes a value that is not empty, and copies it only if it differs.
pub(crate) fn keep_last(held: &mut Option<String>, value: Option<Cow<'_, str>>) {
    match value {
        Some(value) if !value.is_empty() && held.as_deref() != Some(&*value) => {
            *held = Some(value.into_owned());
        }
        _ => {}
    }
}

/// The calls of a message, in order of first appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    calls: Vec<CallState>,
    by_index: BTreeMap<u32, usize>,
    by_id: HashMap<String, usize>,
    latest: usize,
    /// All indices below this number are taken; checked once the highest possible index is.
    free: u32,
    /// The call of each piece of the last delta, by position, and the new range of its arguments.
    pub(crate) last: Vec<(usize, Range<usize>)>,
}

impl Calls {
    pub(crate) fn as_slice(&self) -> &[CallState] {
        &self.calls
    }

    /// Takes the pieces of one delta.
    pub(crate) fn add(
        &mut self,
        pieces: Vec<CallView<'_>>,
        choice: u32,
        names: Names,
        rules: &mut Rules,
    ) {
        for piece in pieces {
            let place = self.place_of(&piece);
            if let Some(id) = piece.id.as_deref().filter(|id| !id.is_empty())
                && self.by_id.get(id) != Some(&place)
            {
                self.by_id.insert(id.to_owned(), place);
            }
            self.latest = place;
            let call = &mut self.calls[place];
            let from = call.arguments.as_str().len();
            call.add(piece, choice, names, rules);
            self.last.push((place, from..call.arguments.as_str().len()));
        }
    }

    /// Appends the inside of a JSON string to the arguments of the call with the last piece.
    pub(crate) fn go_on(&mut self, inner: &str) {
        if let Some(call) = self.calls.get_mut(self.latest) {
            let from = call.arguments.as_str().len();
            call.arguments.push_escaped(inner);
            let new = from..call.arguments.as_str().len();
            self.last.push((self.latest, new));
        }
    }

    /// Returns the index of the call that a piece belongs to: by its index, or its id, or else the
    /// previous call.
    fn place_of(&mut self, piece: &CallView<'_>) -> usize {
        // Calls with the same index are distinguished by their ids.
        let id = piece.id.as_deref().filter(|id| !id.is_empty());
        if let Some(&place) = id.and_then(|id| self.by_id.get(id))
            && self.calls[place].given == piece.index
        {
            return place;
        }
        let known = self.calls.len();
        let place = self.place_by_index(piece);
        if place == known {
            self.calls[place].given = piece.index;
        }
        place
    }

    fn place_by_index(&mut self, piece: &CallView<'_>) -> usize {
        if let Some(index) = piece.index {
            return match self.by_index.get(&index) {
                None => self.open(index),
                Some(&place) if self.calls[place].is_over_before(piece) => {
                    let place = self.open_next();
                    self.by_index.insert(index, place);
                    place
                }
                Some(&place) => place,
            };
        }
        match piece.id.as_deref().filter(|id| !id.is_empty()) {
            Some(id) => match self.by_id.get(id) {
                Some(&place) => place,
                None => self.open_next(),
            },
            None if self.calls.is_empty() => self.open(0),
            None => self.latest,
        }
    }

    /// Opens a call with an unused index: one more than the highest.
    fn open_next(&mut self) -> usize {
        let next = match self.by_index.last_key_value() {
            None => Some(0),
            Some((&highest, _)) => highest.checked_add(1),
        };
        let next = next.unwrap_or_else(|| {
            while self.by_index.contains_key(&self.free) && self.free < u32::MAX {
                self.free += 1;
            }
            self.free
        });
        self.open(next)
    }

    fn open(&mut self, index: u32) -> usize {
        let place = self.calls.len();
        self.by_index.insert(index, place);
        self.calls.push(CallState {
            index,
            ..CallState::default()
        });
        place
    }
}
