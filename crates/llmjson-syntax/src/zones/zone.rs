//! The kinds of zones, the state of a pass, and the data that a caller supplies.

use alloc::string::String;
use alloc::vec::Vec;

use crate::tape::marks::Mark;

/// The use of a code fence, by its info string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// Tool calls, in a family's own fence.
    Calls,
    /// Data, which may be the whole reply.
    Data,
    /// Text for display.
    Shown,
}

/// The line that opens a code fence.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    pub(crate) sign: char,
    /// Number of its characters.
    pub(crate) length: usize,
    pub(crate) holds: Holds,
}

/// The kind of a zone, and the reason why a call in it is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ZoneKind {
    /// A code fence: `` ```text ``.
    Fence,
    /// Code in backticks, an indented block, a patch, a terminal session.
    Code,
    /// A comment: `<!-- … -->`, `/* … */`, `// …`.
    Comment,
    /// Quotation marks, or the lines of a quotation: `> …`.
    Quotation,
    /// Reasoning between marks, or a message of the model to itself.
    Thought,
    /// An element with foreign content: `<document>`, `<tools>`, `<tool_response>`, `<pre>`.
    Element,
    /// A turn of another speaker: `User: …`, `<|im_start|>user`.
    Turn,
    /// A message to the user.
    Addressee,
    /// The lines of a log: `2026-11-02 12:00:01 INFO …`.
    Log,
    /// The text of a link: `[…](https://…)`.
    Link,
    /// The words of another text: `The page says: …`.
    Report,
    /// A table, or a member of other data: `{"result": …}`.
    Data,
    /// A call with its result next to it: it was made before.
    Result,
    /// Text between the markers of a call that names a tool, but is not in a known format.
    Unread,
}

impl ZoneKind {
    /// Returns the stable name: `fence`, `code` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fence => "fence",
            Self::Code => "code",
            Self::Comment => "comment",
            Self::Quotation => "quotation",
            Self::Thought => "thought",
            Self::Element => "element",
            Self::Turn => "turn",
            Self::Addressee => "addressee",
            Self::Log => "log",
            Self::Link => "link",
            Self::Report => "report",
            Self::Data => "data",
            Self::Result => "result",
            Self::Unread => "unread",
        }
    }
}

/// A range of the text with a particular role, such as a code fence, a quotation or a reasoning block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Zone {
    /// The offset at which it begins.
    pub start: usize,
    /// The offset at which it ends: the end of the text if nothing closes it.
    pub end: usize,
    /// The kind of the zone.
    pub kind: ZoneKind,
    /// The use of a fence; any other zone is for display.
    pub holds: Holds,
    /// `true` if the reply continues after it.
    pub is_followed: bool,
}

impl Zone {
    /// Returns `true` if calls are not written in this kind of zone.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.holds != Holds::Calls
    }

    /// Returns `true` if calls in it are left out. If the reply ends with it, they may still be
    /// made, as guesses.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.is_followed && self.is_shown()
    }

    /// Returns `true` if it is a fence for data, which may be the whole reply.
    #[must_use]
    pub fn may_hold_data(&self) -> bool {
        self.holds == Holds::Data
    }
}

/// The marks defined by model families.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// Info strings of fences in which calls begin: `tool_code`.
    pub own_fences: &'static [&'static str],
}

/// Marks that belong to no family.
const NO_MARKS: Marks = Marks { own_fences: &[] };

/// The result of looking for a family's mark at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkAt {
    /// A mark that is not content ends at this offset.
    Ends(usize),
    /// A prefix of a possible mark, which more text may complete.
    Begun,
    /// The text is content.
    Content,
}

/// The caller of a pass: its work budget, and the marks of families.
pub trait Asker {
    /// Charges steps to the work budget.
    fn charge(&mut self, steps: usize);

    /// Returns `true` if the work budget is exhausted.
    fn is_used_up(&mut self) -> bool;

    /// Notes that the end of the text was examined, so that more text may change the result.
    fn reach_end(&mut self) {}

    /// Notes that more text may change where the text continues, but not the result.
    fn may_go_on(&mut self) {}

    /// Returns the marks of families.
    fn marks(&self) -> &'static Marks {
        &NO_MARKS
    }

    /// Finds a family's mark that is not content.
    fn mark_at(&mut self, _text: &str, _at: usize) -> MarkAt {
        MarkAt::Content
    }

    /// Returns `true` if a family begins calls with an element of this name.
    fn begins_calls(&self, _name: &str) -> bool {
        false
    }
}

/// The known zones up to a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    pub(crate) until: usize,
    pub(crate) last: Option<Zone>,
    /// A part of the text between zones, and `true` if any text is in it or after it.
    pub(crate) followed: Option<(usize, usize, bool)>,
    /// `true` if no turn of a model follows.
    pub(crate) model_is_missing: bool,
    /// Offset up to which no model answers.
    pub(crate) unanswered: usize,
    /// The end and kind of the last part that adjacent punctuation marked as display text.
    pub shown: Option<(usize, ZoneKind)>,
    /// The offset at which unclosed reasoning begins.
    pub thought: Option<usize>,
    /// Offset of its end, once that has been searched for.
    pub(crate) thought_end: Option<usize>,
    /// `true` if it is a channel, which another channel ends.
    pub(crate) channel: bool,
    /// The end of the last value.
    pub(crate) value: usize,
    /// The open fence, and the end of its line.
    pub(crate) fence: Option<(usize, Fence)>,
    /// An opened fence, and the end of its line.
    pub(crate) line: (usize, usize),
}

/// The state of a pass over a text, which is kept while more text arrives.
#[derive(Clone, Debug, Default)]
pub struct Zones {
    /// The current knowledge.
    pub place: Place,
    /// Closers that do not occur any more.
    pub(crate) missing: Vec<String>,
    /// A word that must come first: the text before it is quoted or reasoning.
    pub awaited: Option<String>,
    /// `true` if a zone found as a log may end later.
    pub is_doubtful: bool,
    /// The marks passed so far in a reply.
    pub(crate) marks: Vec<Mark>,
}

impl Zones {
    /// Returns the state without conclusions from the current end of the text.
    #[must_use]
    pub fn settled(self) -> Self {
        Self {
            awaited: None,
            is_doubtful: false,
            ..self
        }
    }

    /// Moves past a value: its content opens no zone.
    pub(crate) fn go_behind(&mut self, end: usize) {
        self.place.until = self.place.until.max(end);
        self.place.value = end;
    }

    /// Returns the state, for [`put_back`](Self::put_back).
    #[must_use]
    pub const fn mark(&self) -> (Place, usize) {
        (self.place, self.missing.len())
    }

    /// Sets the state to an earlier one.
    pub fn put_back(&mut self, (place, missing): (Place, usize)) {
        self.place = place;
        self.missing.truncate(missing);
    }
}
