//! The findings in a text: its calls, what else it holds, and what changes while it comes.

pub use llmjson_syntax::internal::zones::ZoneKind as NotRunReason;
use llmjson_syntax::{Class, Note, Repair, Span};

use super::draft::CallDraft;
use super::family::Family;
use super::span_of;
use crate::bind::UnknownTool;
use crate::report::BindReport;

/// The calls of a text, and what else it holds.
#[derive(Debug)]
pub struct TextCalls {
    pub(super) calls: Vec<TextCall>,
    pub(super) not_run: Vec<NotRun>,
    pub(super) content: String,
    pub(super) reasoning: String,
    pub(super) unsearched: Option<Span>,
    /// `true` if the policy of a tool refuses that a part of the text was not searched.
    pub(super) is_refused: bool,
    pub(super) last_events: Vec<CallEvent>,
    pub(super) work: u64,
}

impl TextCalls {
    /// Returns the rest of the text in which no calls were looked for, because what stands before it
    /// took all the work that [`Limits::work`](llmjson_syntax::Limits::work) allows; `None` for all but
    /// texts that are made to hurt. It counts as content. Where the work that text without markers may take is
    /// used up, calls between markers are looked for in it all the same.
    ///
    /// All [calls](Self::calls) are then guesses, since what was not looked at may say that they are none, and
    /// policies that refuse dropped values, such as `tool` and `exact`, refuse them.
    #[must_use]
    pub fn unsearched(&self) -> Option<Span> {
        self.unsearched
    }

    /// Returns the work of finding the calls and of reading their arguments, in steps.
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

    /// Returns what has the form of a call and is not taken for one, in the order of the text: what is quoted,
    /// thought, or was called before.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{NotRunReason, Registry, calls_in};
    ///
    /// let text = "Write `<tool_call>{\"name\": \"add\", \"arguments\": {}}</tool_call>` to add.";
    /// let found = calls_in(text, &Registry::builder().build()?);
    /// assert!(found.calls().is_empty());
    /// assert_eq!(found.not_run()[0].name(), "add");
    /// assert_eq!(found.not_run()[0].reason(), NotRunReason::Code);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn not_run(&self) -> &[NotRun] {
        &self.not_run
    }

    /// Returns the least certainty of the calls: a guess where a part of the text was not searched.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let least = self.unsearched.map_or(Class::Certain, |_| Class::Guess);
        let classes = self.calls.iter().map(TextCall::certainty);
        classes.fold(least, Class::max)
    }

    /// Returns `true` if all of the text was searched, as far as the policies of the tools ask for it, and all
    /// calls [can be run](TextCall::is_ok).
    #[must_use]
    pub fn is_ok(&self) -> bool {
        !self.is_refused && self.calls.iter().all(TextCall::is_ok)
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

/// Text in the form of a call that is not taken for one, and why: see [`TextCalls::not_run`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRun {
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) span: Span,
    pub(super) family: Family,
    pub(super) reason: NotRunReason,
}

impl NotRun {
    /// Returns the name of the tool, as it was written.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the arguments as the model wrote them, as JSON where its family writes none.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns the part of the text in which it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the family in whose format it is written.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// Returns why it is not taken for a call.
    #[must_use]
    pub fn reason(&self) -> NotRunReason {
        self.reason
    }
}

/// A call that was found in a text.
#[derive(Debug)]
pub struct TextCall {
    pub(super) draft: CallDraft,
    /// The arguments as JSON.
    pub(super) arguments: String,
    pub(super) source: Option<Span>,
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
        &self.draft.name
    }

    /// Returns the id that the model gave the call.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.draft.id.as_deref()
    }

    /// Returns the arguments as JSON: those that were bound, else those that were read.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns the part of the text in which the call stands, with its markers.
    #[must_use]
    pub fn span(&self) -> Span {
        span_of(self.draft.span)
    }

    /// Returns where the arguments stand, if the family writes them as JSON, or as a string with JSON in it.
    #[must_use]
    pub fn source(&self) -> Option<Span> {
        self.source
    }

    /// Returns the family whose format this is. Families share formats; the first of them counts.
    #[must_use]
    pub fn family(&self) -> Family {
        self.draft.family
    }

    /// Returns how sure it is that this call, with these arguments, was meant.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let repairs = self.repairs().iter().map(|one| one.class);
        let notes = self.notes().iter().map(|one| one.class);
        let bound = self.report().map(BindReport::certainty);
        (repairs.chain(notes).chain(bound)).fold(self.draft.class, Class::max)
    }

    /// Returns `true` if the text of the call is whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.draft.complete
    }

    /// Returns `true` if the call can be run: its tool is known and its arguments are bound, its
    /// text is whole and was read to its end, and the policy of the tool allows how it was read.
    /// Without tools in the registry, whether its arguments are an object.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.draft.complete
            && !self.draft.is_partly_read
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
        &self.draft.read.repairs
    }

    /// Returns the notes on how the call was read, with their places in the text, as [`repairs`](Self::repairs).
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.draft.read.notes
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
    /// A call that had been finished as complete was a draft, as an end of reasoning says whose beginning stood in
    /// the prompt. It is none of the [calls](TextCalls::calls).
    Superseded {
        /// The place of the call.
        call: usize,
    },
}
