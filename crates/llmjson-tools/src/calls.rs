//! Calls of tools that a model wrote as text.
//!
//! Open models and the servers in front of them often leave calls in the text, each family between
//! markers of its own. [`calls_in`] finds them, whatever the family, and binds them to the tools of a
//! registry.

mod draft;
mod families;
mod family;
mod json;
mod live;
mod looks;
mod named;
mod pairs;
mod payload;
mod python;
mod reader;
mod reading;
mod stream;
mod tag;
mod values;
mod xml;

use llmjson_syntax::{Class, Document, Note, Repair, RepairKind, Span, steps_of_search};

use super::bind::UnknownTool;
use super::registry::Registry;
use super::report::BindReport;
use draft::Draft;
use looks::Looks;
use payload::Payload;
use reading::Reading;

pub use families::Families;
pub use family::Family;
pub use stream::{CallEvent, TextCallStream};

/// Finds the calls in a text and binds them.
///
/// A registry without tools finds calls of any name; their arguments are then read without a schema.
/// What only looks like a call is none: an example in prose or in backticks, the declaration of a tool, a
/// draft within reasoning.
///
/// ```
/// use llmjson::tools::{Registry, Tool, calls_in};
///
/// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#;
/// let registry = Registry::builder()
///     .register_schema(Tool::new("weather", "Tells the weather."), schema)
///     .build()?;
///
/// let reply = "<think>Oslo it is.</think>Let me see.\n<tool_call>\n<function=weather>\n\
///     <parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";
/// let found = calls_in(reply, &registry);
/// let call = &found.calls()[0];
/// assert_eq!((call.name(), call.family().name()), ("weather", "qwen3-coder"));
/// assert_eq!(call.arguments(), r#"{"city":"Oslo","days":3}"#);
/// assert!(call.is_ok());
/// assert_eq!((found.content(), found.reasoning()), ("Let me see.\n", "Oslo it is."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn calls_in(text: &str, registry: &Registry) -> TextCalls {
    CallReader::new(registry).read(text)
}

/// Finds calls in texts, with options. See [`calls_in`].
#[derive(Clone, Debug)]
pub struct CallReader<'r> {
    registry: &'r Registry,
    families: Option<Families>,
}

impl<'r> CallReader<'r> {
    /// Creates a reader that finds calls of every family.
    #[must_use]
    pub const fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            families: None,
        }
    }

    /// Finds only calls that this family writes.
    ///
    /// ```
    /// use llmjson::tools::{CallReader, Registry};
    ///
    /// let registry = Registry::builder().build()?;
    /// let reader = CallReader::new(&registry).with_family("mistral".parse()?);
    /// let found = reader.read(r#"[TOOL_CALLS]add[ARGS]{"a": 1}"#);
    /// assert_eq!(found.calls()[0].arguments(), r#"{"a":1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_family(self, family: Family) -> Self {
        self.with_families(family.into())
    }

    /// Finds only calls that one of these families writes: no marker of others opens a call.
    ///
    /// ```
    /// use llmjson::tools::{CallReader, Registry};
    ///
    /// let registry = Registry::builder().build()?;
    /// let reader = CallReader::new(&registry).with_families("Qwen/Qwen3-Coder-30B".parse()?);
    /// assert!(reader.read(r#"[TOOL_CALLS]add[ARGS]{"a": 1}"#).calls().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_families(mut self, families: Families) -> Self {
        self.families = Some(families);
        self
    }

    /// Finds calls of every family, which is the default.
    #[must_use]
    pub const fn without_family(mut self) -> Self {
        self.families = None;
        self
    }

    /// Finds the calls in a text and binds them.
    #[must_use]
    pub fn read(&self, text: &str) -> TextCalls {
        let saved = reader::Saved::default();
        let reader = reader::Reader::resume(text, self.registry, self.families, saved);
        TextCalls::of(reader.read(false), self.registry, text)
    }

    /// Creates a stream that finds calls in a text that is still coming.
    #[must_use]
    pub fn stream(&self) -> TextCallStream {
        TextCallStream::new(self.registry, self.families)
    }
}

/// The calls of a text, and what else it holds.
#[derive(Debug)]
pub struct TextCalls {
    calls: Vec<TextCall>,
    content: String,
    reasoning: String,
    unsearched: Option<Span>,
    last_events: Vec<CallEvent>,
    work: u64,
}

impl TextCalls {
    fn of(found: reader::Found, registry: &Registry, text: &str) -> Self {
        let reader::Found { mut looks, .. } = found;
        let calls = found.calls.into_iter();
        Self {
            calls: calls
                .map(|draft| draft.bind(text, registry, &mut looks))
                .collect(),
            content: found.content,
            reasoning: found.reasoning,
            last_events: Vec::new(),
            unsearched: found.unsearched.map(|from| span_of((from, text.len()))),
            work: looks.spent(),
        }
    }

    /// Returns the rest of the text in which no calls were looked for, because what stands before it
    /// took all the work that [`Limits::work`](llmjson_reply::policy::Limits::work) allows; `None` for all but
    /// texts that are made to hurt. It counts as content.
    #[must_use]
    pub fn unsearched(&self) -> Option<Span> {
        self.unsearched
    }

    /// Returns the work of finding the calls and of reading their arguments, in steps.
    #[doc(hidden)]
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Returns what changed about the calls when the stream that they come from was finished; nothing where
    /// the text was there at once.
    #[must_use]
    pub fn last_events(&self) -> &[CallEvent] {
        &self.last_events
    }

    /// Returns the calls in the order of the text.
    #[must_use]
    pub fn calls(&self) -> &[TextCall] {
        &self.calls
    }

    /// Returns the calls in the order of the text.
    #[must_use]
    pub fn into_calls(self) -> Vec<TextCall> {
        self.calls
    }

    /// Returns the text around the calls, without markers and reasoning.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the reasoning that the model wrote between tags.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }
}

/// A call that was found in a text.
#[derive(Debug)]
pub struct TextCall {
    name: String,
    id: Option<String>,
    arguments: String,
    span: Span,
    source: Option<Span>,
    family: Family,
    class: Class,
    complete: bool,
    is_partly_read: bool,
    repairs: Vec<Repair>,
    notes: Vec<Note>,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Bound(Box<BindReport>),
    Unknown(UnknownTool),
    /// The registry has no tools.
    Untyped,
}

impl TextCall {
    /// Returns the name of the tool: as the registry has it where it is known, else as it was written.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id that the model gave the call.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the arguments as JSON: those that were bound, else those that were read.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns the part of the text in which the call stands, with its markers.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns where the arguments stand, if the family writes them as JSON, or as a string with JSON in it.
    #[doc(hidden)]
    #[must_use]
    pub fn source(&self) -> Option<Span> {
        self.source
    }

    /// Returns the family whose format this is. Families share formats; the first of them counts.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// Returns how sure it is that this call, with these arguments, was meant.
    #[must_use]
    pub fn certainty(&self) -> Class {
        match &self.outcome {
            Outcome::Bound(report) => self.class.max(report.certainty()),
            Outcome::Unknown(_) | Outcome::Untyped => self.class,
        }
    }

    /// Returns whether the text of the call is whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether the call can be run: its tool is known and its arguments are bound, its text is
    /// whole and was read to its end, and the policy of the tool allows how it was read. Without tools in the registry, whether its arguments are an object.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.complete
            && !self.is_partly_read
            && match &self.outcome {
                Outcome::Bound(report) => report.is_ok() && !report.is_uncertain(),
                Outcome::Unknown(_) => false,
                Outcome::Untyped => self.arguments.starts_with('{'),
            }
    }

    /// Returns the repairs that were made to read the call, with their places in the text: every one in its
    /// arguments, and around them and in arguments that are no JSON each kind once.
    ///
    /// ```
    /// use llmjson::tools::{Registry, calls_in};
    ///
    /// let text = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>";
    /// let found = calls_in(text, &Registry::builder().build()?);
    /// let repair = found.calls()[0].repairs()[0];
    /// assert_eq!(repair.kind.name(), "extra_comma");
    /// assert_eq!(&text[repair.span.range()], ",");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// Returns the notes on how the call was read, with their places in the text, as [`repairs`](Self::repairs).
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the report on its arguments, if the tool is known. The places in its
    /// [`document`](BindReport::document) are those in the text of the arguments.
    #[must_use]
    pub fn report(&self) -> Option<&BindReport> {
        match &self.outcome {
            Outcome::Bound(report) => Some(report),
            Outcome::Unknown(_) | Outcome::Untyped => None,
        }
    }

    /// Returns the error, if no tool of the registry has this name.
    #[must_use]
    pub fn unknown(&self) -> Option<&UnknownTool> {
        match &self.outcome {
            Outcome::Unknown(unknown) => Some(unknown),
            Outcome::Bound(_) | Outcome::Untyped => None,
        }
    }
}

fn span_of((start, end): (usize, usize)) -> Span {
    Span {
        start: u32::try_from(start).unwrap_or(u32::MAX),
        end: u32::try_from(end).unwrap_or(u32::MAX),
    }
}

/// Finds the JSON arguments that begin at a place, as those of a call without a name, and returns where they
/// end.
fn arguments_at(text: &str, start: usize, looks: &mut Looks) -> (Draft, usize) {
    let end = json::extent(text, start, looks);
    let (json, end, is_closed) = bounded(text, start, end, looks);
    let draft = Draft {
        arguments: Payload::Read((start, end)),
        complete: is_closed || is_ended(&looks.read(json)),
        ..Draft::default()
    };
    (draft, end)
}

/// Whether a value ends in its last bracket: a lost quote hides that from a count of brackets, but not from
/// the reader.
fn is_ended(document: &Document<'_>) -> bool {
    document.is_complete() && document.text().trim_end().ends_with(['}', ']'])
}

/// Whether no bracket of a value had to be closed.
fn is_balanced(document: &Document<'_>) -> bool {
    let mut kinds = document.repairs().iter().map(|repair| repair.kind);
    kinds.all(|kind| !matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray))
}

/// Whether a value that a marker ends is whole: brackets may be missing, but no text is cut.
fn is_whole(document: &Document<'_>) -> bool {
    let mut kinds = document.repairs().iter().map(|repair| repair.kind);
    document.is_complete() || !kinds.any(|kind| kind == RepairKind::UnclosedString)
}

/// Returns the text of a JSON value behind a marker: up to where its brackets end, or up to a marker of
/// calls that stands before and in none of its strings.
fn bounded<'t>(
    text: &'t str,
    start: usize,
    end: Option<usize>,
    looks: &mut Looks,
) -> (&'t str, usize, bool) {
    let marker = next_marker(&text[..end.unwrap_or(text.len())], start, looks);
    if let Some(end) = end {
        let json = &text[start..end];
        let Some(within) = marker else {
            return (json, end, true);
        };
        let document = looks.read(json);
        let is_strict = document.repairs().is_empty() && document.is_complete();
        if is_strict || keeps(&document, text, within, looks) {
            return (json, end, true);
        }
    }
    // A marker closes what its brackets do not.
    let stop = marker.unwrap_or(text.len());
    (&text[start..stop], stop, marker.is_some())
}

/// Whether a value is surely read with the marker that stands at a place as a part of its texts.
fn keeps(document: &Document<'_>, text: &str, marker: usize, looks: &mut Looks) -> bool {
    let tag = tag::Tag::look(text, marker, looks).map(|tag| tag.raw);
    looks.charge(document.text().len());
    document.is_complete()
        && document.certainty() != Class::Guess
        && tag.is_some_and(|tag| document.to_json().is_some_and(|json| json.contains(tag)))
}

/// Returns where the next marker of calls stands.
fn next_marker(text: &str, mut at: usize, looks: &mut Looks) -> Option<usize> {
    while let Some(found) = memchr::memchr2(b'<', b'[', &text.as_bytes()[at..]) {
        looks.charge(steps_of_search(found));
        if looks.is_used_up() {
            return None;
        }
        at += found;
        if let Some(tag) = tag::Tag::look(text, at, looks) {
            let name = tag.normalized();
            if is_end(&name)
                || matches!(&*name, "channel" | "start")
                || Family::opens(&name, None)
                || tag.is_closing && matches!(&*name, "function" | "invoke")
            {
                return Some(at);
            }
        }
        at += 1;
    }
    looks.charge(steps_of_search(text.len() - at));
    None
}

/// Whether the name of a marker says that calls end.
fn is_end(name: &str) -> bool {
    let is_about_calls = ["tool", "function", "action", "python", "call", "plugin"]
        .iter()
        .any(|word| name.contains(word));
    is_about_calls && (name.ends_with("end") || name.starts_with("end"))
        || matches!(
            name,
            "toolssuffix"
                | "call"
                | "end"
                | "return"
                | "imend"
                | "eomid"
                | "eotid"
                | "endmessage"
                | "eot"
                | "closetools"
                | "closemessage"
                | "endofmsg"
        )
}

fn skip(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    text.len() - text[at..].trim_start().len()
}
