//! The findings in a text: its calls, what else it holds, and what changes while it comes.

use llmjson_syntax::{Class, Note, Repair, Span};

use super::family::Family;
use crate::bind::UnknownTool;
use crate::report::BindReport;

/// The calls of a text, and what else it holds.
#[derive(Debug)]
pub struct TextCalls {
    pub(super) calls: Vec<TextCall>,
    pub(super) content: String,
    pub(super) reasoning: String,
    pub(super) unsearched: Option<Span>,
    pub(super) last_events: Vec<CallEvent>,
    pub(super) work: u64,
}

impl TextCalls {
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
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) arguments: String,
    pub(super) span: Span,
    pub(super) source: Option<Span>,
    pub(super) family: Family,
    pub(super) class: Class,
    pub(super) complete: bool,
    pub(super) is_partly_read: bool,
    pub(super) repairs: Vec<Repair>,
    pub(super) notes: Vec<Note>,
    pub(super) outcome: TextCallOutcome,
}

#[derive(Debug)]
pub(super) enum TextCallOutcome {
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
            TextCallOutcome::Bound(report) => self.class.max(report.certainty()),
            TextCallOutcome::Unknown(_) | TextCallOutcome::Untyped => self.class,
        }
    }

    /// Returns `true` if the text of the call is whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns `true` if the call can be run: its tool is known and its arguments are bound, its
    /// text is whole and was read to its end, and the policy of the tool allows how it was read.
    /// Without tools in the registry, whether its arguments are an object.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.complete
            && !self.is_partly_read
            && match &self.outcome {
                TextCallOutcome::Bound(report) => report.is_ok() && !report.is_uncertain(),
                TextCallOutcome::Unknown(_) => false,
                TextCallOutcome::Untyped => self.arguments.starts_with('{'),
            }
    }

    /// Returns the repairs that were made to read the call, with their places in the text: every one in its
    /// arguments, and around them and in arguments that are no JSON each kind once.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
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
            TextCallOutcome::Bound(report) => Some(report),
            TextCallOutcome::Unknown(_) | TextCallOutcome::Untyped => None,
        }
    }

    /// Returns the error, if no tool of the registry has this name.
    #[must_use]
    pub fn unknown(&self) -> Option<&UnknownTool> {
        match &self.outcome {
            TextCallOutcome::Unknown(unknown) => Some(unknown),
            TextCallOutcome::Bound(_) | TextCallOutcome::Untyped => None,
        }
    }
}

/// A change of the calls in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEvent {
    /// A call began.
    Started {
        /// The place of the call among all calls that were announced.
        call: usize,
        /// The name of the tool: as the registry has it where it is known, else as it was written.
        name: String,
    },
    /// The arguments of a call grew.
    Arguments {
        /// The place of the call.
        call: usize,
        /// The new piece. All pieces together are the arguments as JSON, as the model wrote them.
        text: String,
    },
    /// A call ended: no later text changes it.
    Finished {
        /// The place of the call.
        call: usize,
        /// `false` if the call was cut off, or was none after all: it is not to be run.
        complete: bool,
    },
}
