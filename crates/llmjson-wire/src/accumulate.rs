//! Assembles a reply from its chunks.
//!
//! This module decides which of several values wins. `calls` decides which piece belongs to which
//! call, and `merge` handles unknown members.

mod again;
mod calls;
mod merge;
mod text;
pub(crate) mod view;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde_json::Number;

use crate::content::Content;
use crate::message::{Message, ToolCall};
use crate::raw::Raw;
use crate::response::{Choice, Response, StreamChunk, Usage};
use again::{Again, SaidAs, Template};
use calls::{Calls, inside_quotes, keep_last};
use merge::{Merged, Rules};
use text::GrowingText;
use view::{ChoiceView, ChunkView, DeltaView, JsonText, ObjectView};

pub use calls::{CallState, Names};
pub use merge::{Conflict, Scope};

/// Assembles a reply from the chunks of a stream.
///
/// The reply so far can be read at any time: the text, the calls with the arguments received so
/// far, the finish reason. Text is concatenated; the first role wins; for everything else, the last
/// value that is not empty. Unknown members are replaced as a whole, and
/// [`on_conflict`](Self::on_conflict) reports it.
///
/// Every choice is assembled. Calls without a choice index belong to the first choice: the choice
/// with index 0, or the lowest index present.
///
/// ```
/// use llmjson_wire::{Accumulator, StreamChunk};
///
/// let mut reply = Accumulator::new();
/// for chunk in [
///     r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}"#,
///     r#"{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}"#,
///     r#"{"choices":[],"usage":{"total_tokens":9}}"#,
/// ] {
///     let chunk: StreamChunk = serde_json::from_str(chunk)?;
///     reply.push(&chunk);
/// }
/// assert_eq!((reply.text(), reply.finish_reason()), ("Hello", Some("stop")));
/// assert_eq!(reply.usage().and_then(|usage| usage.total_tokens), Some(9));
/// let message = reply.message().expect("there was a choice");
/// assert_eq!(serde_json::to_string(&message)?, r#"{"role":"assistant","content":"Hello"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Default)]
pub struct Accumulator {
    id: Option<String>,
    object: Option<String>,
    created: Option<Number>,
    model: Option<String>,
    system_fingerprint: Option<String>,
    usage: Option<Usage>,
    choices: BTreeMap<u32, ChoiceState>,
    extras: Merged,
    names: Names,
    rules: Rules,
    /// The content of the previous chunk, for chunks that repeat it.
    template: Template,
    additions: Vec<Addition>,
}

/// The text that one entry of the last chunk added: see [`Accumulator::additions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The index of the entry among the `choices` of the chunk.
    pub choice: usize,
    /// The index of the entry in `tool_calls`, and the index of its call among the
    /// [calls](ChoiceState::tool_calls); `None` for the content.
    pub call: Option<(usize, usize)>,
    /// The new range of the content or of the arguments; it may be empty.
    pub new: Range<usize>,
}

impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("id", &self.id)
            .field("choices", &self.choices)
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}

impl Accumulator {
    /// Creates an empty reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a listener that is called for every unknown member whose value is replaced by a
    /// different one. With the feature `tracing`, an event `llmjson.stream_conflict` is also
    /// emitted, with the fields `scope` and `key` and without values.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use llmjson_wire::Accumulator;
    ///
    /// let (sender, conflicts) = mpsc::channel();
    /// let mut reply = Accumulator::new().on_conflict(move |conflict| {
    ///     let _ = sender.send((conflict.scope.to_string(), conflict.key.to_owned()));
    /// });
    /// for sig in ["v1", "v2", "v2"] {
    ///     let call = format!(r#"{{"index":0,"sig":"{sig}"}}"#);
    ///     reply.push_text(&format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{call}]}}}}]}}"#))?;
    /// }
    /// let told: Vec<_> = conflicts.try_iter().collect();
    /// assert_eq!(told, [("tool_call[0]".to_owned(), "sig".to_owned())]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn on_conflict(mut self, listener: impl FnMut(&Conflict<'_>) + Send + 'static) -> Self {
        self.rules.listener = Some(Box::new(listener));
        self
    }

    /// Sets how function names that arrive in several pieces are combined.
    #[must_use]
    pub fn with_names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Joins the arrays of an unknown member instead of keeping the last one, for example
    /// OpenRouter's `reasoning_details`.
    ///
    /// ```
    /// use llmjson_wire::Accumulator;
    ///
    /// let mut reply = Accumulator::new().with_joined_list("reasoning_details");
    /// for details in ["[1]", "[2, 3]"] {
    ///     let delta = format!(r#"{{"reasoning_details":{details}}}"#);
    ///     reply.push_text(&format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#))?;
    /// }
    /// let message = reply.message().expect("there was a choice");
    /// let details = message.extras.get("reasoning_details").expect("it was there");
    /// assert_eq!(details.as_str(), "[1,2, 3]");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn with_joined_list(mut self, name: impl Into<String>) -> Self {
        self.rules.joined.push(name.into());
        self.template.clear();
        self
    }

    /// Adds the next chunk.
    pub fn push(&mut self, chunk: &StreamChunk) {
        self.apply(ChunkView::from(chunk));
    }

    /// Adds the next chunk from JSON. This is the fastest way.
    ///
    /// # Errors
    ///
    /// If it is not a chunk; the reply is then unchanged.
    pub fn push_text(&mut self, chunk: &str) -> Result<(), serde_json::Error> {
        if !self.apply_again(chunk) {
            self.apply_text(serde_json::from_str(chunk)?, chunk);
        }
        Ok(())
    }

    /// Applies a chunk without parsing it, if it equals the previous one except for the next piece
    /// of text. Returns `false` if not; the reply is then unchanged.
    pub(crate) fn apply_again(&mut self, chunk: &str) -> bool {
        let Some(again) = self.template.compare(chunk) else {
            return false;
        };
        let Again {
            place,
            piece,
            noise,
        } = again;
        let Some(choice) = self.choices.get_mut(&place.choice) else {
            return false;
        };
        if let Some((name, value)) = noise {
            let extras = vec![(Cow::Owned(name), value)];
            self.extras.merge(extras, Scope::Chunk, &mut self.rules);
            self.template.noise_varied = true;
        }
        let from = choice.begin();
        match place.said {
            SaidAs::Content => choice.content.text.push_escaped(piece),
            SaidAs::ReasoningContent => choice.reasoning_content.text.push_escaped(piece),
            SaidAs::Reasoning => choice.reasoning.text.push_escaped(piece),
            SaidAs::Arguments => choice.calls.go_on(piece),
        }
        self.additions.clear();
        self.additions.extend(choice.additions(0, from));
        true
    }

    /// Applies a parsed chunk, and remembers its text.
    pub(crate) fn apply_text(&mut self, chunk: ChunkView<'_>, text: &str) {
        // Joined arrays grow when they are repeated.
        let seen = match self.rules.joined.is_empty() {
            true => Template::of(&chunk, text),
            false => None,
        };
        self.apply(chunk);
        if let Some(seen) = seen {
            self.template.set(text, seen);
        }
    }

    pub(crate) fn apply(&mut self, chunk: ChunkView<'_>) {
        self.template.clear();
        keep_last(&mut self.id, chunk.id);
        keep_last(&mut self.object, chunk.object);
        keep_last(&mut self.model, chunk.model);
        keep_last(&mut self.system_fingerprint, chunk.system_fingerprint);
        self.created = chunk.created.or(self.created.take());
        self.usage = chunk.usage.or(self.usage.take());
        self.extras
            .merge(chunk.extras, Scope::Chunk, &mut self.rules);
        self.additions.clear();
        for (entry, choice) in chunk.choices.into_iter().enumerate() {
            let place = u32::try_from(entry).unwrap_or(u32::MAX);
            let index = choice.index.unwrap_or(place);
            let state = self.choices.entry(index).or_default();
            state.index = index;
            let from = state.begin();
            state.add(choice, self.names, &mut self.rules);
            self.additions.extend(state.additions(entry, from));
        }
    }

    /// Returns the text that the last chunk added, in the order of its entries: the content of each
    /// choice, and each piece of a call.
    #[must_use]
    pub fn additions(&self) -> &[Addition] {
        &self.additions
    }

    /// Returns the choice with an index, if there is one.
    #[must_use]
    pub fn choice(&self, index: u32) -> Option<&ChoiceState> {
        self.choices.get(&index)
    }

    /// Returns all choices, by index.
    pub fn choices(&self) -> impl Iterator<Item = &ChoiceState> {
        self.choices.values()
    }

    /// Returns the text of the first choice so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.first().map_or("", ChoiceState::text)
    }

    /// Returns the model's reasoning in the first choice so far.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.first().map_or("", ChoiceState::reasoning)
    }

    /// Returns the tool calls of the first choice so far, in order of arrival.
    #[must_use]
    pub fn tool_calls(&self) -> &[CallState] {
        self.first().map_or(&[], ChoiceState::tool_calls)
    }

    /// Returns the finish reason of the first choice, once received.
    #[must_use]
    pub fn finish_reason(&self) -> Option<&str> {
        self.first().and_then(ChoiceState::finish_reason)
    }

    /// Returns the token usage of the reply: the last one received.
    #[must_use]
    pub fn usage(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// Returns the message of the first choice so far, or `None` if no chunk had a choice.
    #[must_use]
    pub fn message(&self) -> Option<Message> {
        self.first().map(ChoiceState::to_message)
    }

    /// Returns the reply so far, in the form of a complete response.
    #[must_use]
    pub fn response(&self) -> Response {
        let object = self.object.as_deref();
        Response {
            id: self.id.clone(),
            object: object.map(|object| object.strip_suffix(".chunk").unwrap_or(object).to_owned()),
            created: self.created.clone(),
            model: self.model.clone(),
            choices: self.choices.values().map(ChoiceState::to_choice).collect(),
            usage: self.usage.clone(),
            system_fingerprint: self.system_fingerprint.clone(),
            extras: self.extras.to_extras(),
        }
    }

    fn first(&self) -> Option<&ChoiceState> {
        self.choices.values().next()
    }
}

/// A choice as received so far.
#[derive(Clone, Debug, Default)]
pub struct ChoiceState {
    index: u32,
    role: Option<String>,
    name: Option<String>,
    tool_call_id: Option<String>,
    content: NamedContent,
    reasoning_content: NamedContent,
    reasoning: NamedContent,
    refusal: GrowingText,
    calls: Calls,
    finish_reason: Option<String>,
    logprobs: Merged,
    /// The value of `logprobs` in the last chunk, if it is not an object.
    odd_logprobs: Option<Raw>,
    extras: Merged,
    message_extras: Merged,
}

impl ChoiceState {
    /// Returns the index of the choice.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.content.text.as_str()
    }

    /// Returns the model's reasoning so far, under whichever key it arrived.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        match self.reasoning_content.text.as_str() {
            "" => self.reasoning.text.as_str(),
            reasoning => reasoning,
        }
    }

    /// Returns the model's refusal so far.
    #[must_use]
    pub fn refusal(&self) -> &str {
        self.refusal.as_str()
    }

    /// Returns the content that is not a string: the parts of arrays, concatenated, as received.
    #[must_use]
    pub fn parts(&self) -> &[Raw] {
        &self.content.parts
    }

    /// Returns the tool calls so far, in order of arrival.
    #[must_use]
    pub fn tool_calls(&self) -> &[CallState] {
        self.calls.as_slice()
    }

    /// Returns the finish reason, once received.
    #[must_use]
    pub fn finish_reason(&self) -> Option<&str> {
        self.finish_reason.as_deref()
    }

    /// Returns the message so far.
    ///
    /// Its content is the text; if there is none, the array of [`parts`](Self::parts); and if that
    /// is empty too, it is absent.
    #[must_use]
    pub fn to_message(&self) -> Message {
        let calls: Vec<ToolCall> = self
            .tool_calls()
            .iter()
            .map(CallState::to_tool_call)
            .collect();
        Message {
            role: self.role.clone(),
            content: self.content.to_content(),
            name: self.name.clone(),
            reasoning_content: self.reasoning_content.to_content(),
            reasoning: self.reasoning.to_content(),
            tool_calls: (!calls.is_empty()).then_some(calls),
            tool_call_id: self.tool_call_id.clone(),
            refusal: self.refusal.to_text(),
            extras: self.message_extras.to_extras(),
        }
    }

    /// Returns the choice so far, in the form of a complete response.
    #[must_use]
    pub fn to_choice(&self) -> Choice {
        let logprobs = match self.logprobs.is_empty() {
            true => self.odd_logprobs.clone(),
            false => Raw::of(&self.logprobs.to_extras()).ok(),
        };
        Choice {
            index: Some(self.index),
            message: Some(self.to_message()),
            delta: None,
            finish_reason: self.finish_reason.clone(),
            logprobs,
            extras: self.extras.to_extras(),
        }
    }

    /// Returns where the next addition to the content begins, and clears the additions to the
    /// calls.
    fn begin(&mut self) -> usize {
        self.calls.last.clear();
        self.text().len()
    }

    /// Returns the addition of one entry of a chunk, whose content had `from` bytes before.
    fn additions(&self, choice: usize, from: usize) -> impl Iterator<Item = Addition> {
        let content = Addition {
            choice,
            call: None,
            new: from..self.text().len(),
        };
        let calls = self.calls.last.iter().enumerate();
        let calls = calls.map(move |(entry, (place, new))| Addition {
            choice,
            call: Some((entry, *place)),
            new: new.clone(),
        });
        std::iter::once(content).chain(calls)
    }

    fn add(&mut self, piece: ChoiceView<'_>, names: Names, rules: &mut Rules) {
        let choice = self.index;
        keep_last(&mut self.finish_reason, piece.finish_reason);
        self.extras
            .merge(piece.extras, Scope::Choice { choice }, rules);
        if let Some(logprobs) = piece.logprobs {
            match serde_json::from_str::<ObjectView<'_>>(logprobs.get()) {
                Ok(object) => self.logprobs.join_all(object.extras),
                Err(_) => self.odd_logprobs = Some(Raw::from_raw(logprobs)),
            }
        }
        // If both are present, the message repeats the delta.
        if let Some(delta) = piece
            .delta
            .or_else(|| piece.message.map(|message| *message))
        {
            self.add_delta(delta, names, rules);
        }
    }

    fn add_delta(&mut self, delta: DeltaView<'_>, names: Names, rules: &mut Rules) {
        let choice = self.index;
        if self.role.is_none() {
            keep_last(&mut self.role, delta.role);
        }
        keep_last(&mut self.name, delta.name);
        keep_last(&mut self.tool_call_id, delta.tool_call_id);
        self.refusal
            .push(delta.refusal.as_deref().unwrap_or_default());
        self.content.add(delta.content);
        self.reasoning_content.add(delta.reasoning_content);
        self.reasoning.add(delta.reasoning);
        if let Some(calls) = delta.tool_calls {
            self.calls.add(calls, choice, names, rules);
        }
        self.message_extras
            .merge(delta.extras, Scope::Message { choice }, rules);
    }
}

/// The content under one name, usually a string.
#[derive(Clone, Debug, Default)]
struct NamedContent {
    text: GrowingText,
    /// Parts of other kinds.
    parts: Vec<Raw>,
}

impl NamedContent {
    fn add(&mut self, piece: JsonText<'_>) {
        let json = match piece {
            JsonText::None => return,
            JsonText::Text(text) => return self.text.push(text),
            JsonText::Json(json) => json,
        };
        if let Some(inner) = inside_quotes(json) {
            self.text.push_escaped(inner);
            return;
        }
        match serde_json::from_str::<Vec<Raw>>(json) {
            Ok(parts) => self.parts.extend(parts),
            Err(_) => self.parts.extend(Raw::from_text(json)),
        }
    }

    fn to_content(&self) -> Content {
        match self.text.to_text() {
            Some(text) => Content::Text(text),
            None if self.parts.is_empty() => Content::Absent,
            None => Content::Json(Raw::of(&self.parts).expect("a list of JSON is JSON")),
        }
    }
}
