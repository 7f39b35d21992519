//! The kinds of zones, what is known of them so far, and what a caller brings along.

use alloc::string::String;
use alloc::vec::Vec;

use crate::tape::marks::Mark;

/// The use of a code fence, by the words behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// Calls: a family writes its own in it.
    Calls,
    /// Data, which may be all of the reply.
    Data,
    /// A text that is shown.
    Shown,
}

/// The line that opens a code fence.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    pub(crate) sign: char,
    /// Number of its signs.
    pub(crate) length: usize,
    pub(crate) holds: Holds,
}

/// The kind of a zone, and the reason why a call in it is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ZoneKind {
    /// A code fence: `` ```text ``.
    Fence,
    /// Code between backticks, an indented block, a patch, a session of a program.
    Code,
    /// A comment: `<!-- … -->`, `/* … */`, `// …`.
    Comment,
    /// Quotation marks, or the lines of a quotation: `> …`.
    Quotation,
    /// Reasoning between marks, or a message of the model to itself.
    Thought,
    /// An element that holds something else: `<document>`, `<tools>`, `<tool_response>`, `<pre>`.
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
    /// A call whose result stands beside it: it was made before.
    Result,
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
        }
    }
}

/// A part of the text that is one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Zone {
    /// Offset at which it begins.
    pub start: usize,
    /// Offset at which it ends: the end of the text if nothing closes it.
    pub end: usize,
    /// Its kind.
    pub kind: ZoneKind,
    /// The use of a fence; any other zone is shown.
    pub holds: Holds,
    /// `true` if the reply goes on behind it.
    pub is_followed: bool,
}

impl Zone {
    /// Returns `true` if it is not how calls are written.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.holds != Holds::Calls
    }

    /// Returns `true` if calls in it are left out. Where the reply ends with it they may be made all the same, as guesses.
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

/// The marks that families of models bring along.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// Words behind a fence with which calls begin: `tool_code`.
    pub own_fences: &'static [&'static str],
    /// The turns of chats.
    pub turns: &'static [Turn],
}

/// The marks of no family.
const NO_MARKS: Marks = Marks {
    own_fences: &[],
    turns: &[],
};

/// The marks of turns in a chat.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The beginning of each.
    pub open: &'static str,
    /// The beginning of those of its model.
    pub of_model: &'static str,
    /// `true` if the name of the speaker stands behind the beginning.
    pub names_role: bool,
}

/// The finding at a place that may hold a mark of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkAt {
    /// One that is no content ends at this offset.
    Ends(usize),
    /// The beginning of what more text may make a mark.
    Begun,
    /// The text goes on.
    Content,
}

/// The caller of a pass: its account of work, and the marks of families.
pub trait Asker {
    /// Takes steps from the account.
    fn charge(&mut self, steps: usize);

    /// Returns `true` if the account is used up.
    fn is_used_up(&mut self) -> bool;

    /// Says that the end of the text was looked at, so that more of it may change what was found.
    fn reach_end(&mut self) {}

    /// Says that more text may change where the text goes on, but not what was found.
    fn may_go_on(&mut self) {}

    /// Returns the marks of families.
    fn marks(&self) -> &'static Marks {
        &NO_MARKS
    }

    /// Finds a mark of a family that is no content.
    fn mark_at(&mut self, _text: &str, _at: usize) -> MarkAt {
        MarkAt::Content
    }

    /// Returns `true` if a family begins calls with an element of this name.
    fn begins_calls(&self, _name: &str) -> bool {
        false
    }
}

/// The knowledge of zones up to a place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    pub(crate) until: usize,
    pub(crate) last: Option<Zone>,
    /// A part of the text between zones, and whether something stands in it or behind it.
    pub(crate) followed: Option<(usize, usize, bool)>,
    /// `true` if no turn of a model follows.
    pub(crate) model_is_missing: bool,
    /// Offset up to which no model answers.
    pub(crate) unanswered: usize,
    /// The end of the last part that was shown by the signs beside it, and what it was.
    pub shown: Option<(usize, ZoneKind)>,
    /// Offset at which reasoning begins that has no end.
    pub thought: Option<usize>,
    /// Offset at which it ends, once that has been looked for.
    pub(crate) thought_end: Option<usize>,
    /// `true` if it is a channel, which other channels end.
    pub(crate) channel: bool,
    /// The end of the last value.
    pub(crate) value: usize,
    /// The open fence, and where its line ends.
    pub(crate) fence: Option<(usize, Fence)>,
    /// A fence that was opened, and the end of its line.
    pub(crate) line: (usize, usize),
}

/// The state of a pass over a text, which is kept while more of it comes.
#[derive(Clone, Debug, Default)]
pub struct Zones {
    /// The knowledge so far.
    pub place: Place,
    /// Closers that do not come any more.
    pub(crate) missing: Vec<String>,
    /// A word that has to come first: what stands before it is quoted or thought.
    pub awaited: Option<String>,
    /// `true` if what was found as a log may end further on.
    pub is_doubtful: bool,
    /// The marks that a reply has passed.
    pub(crate) marks: Vec<Mark>,
}

impl Zones {
    /// Returns the state without what was said of the end of the text so far.
    #[must_use]
    pub fn settled(self) -> Self {
        Self {
            awaited: None,
            is_doubtful: false,
            ..self
        }
    }

    /// Moves behind a value: what it holds opens no zone.
    pub(crate) fn go_behind(&mut self, end: usize) {
        self.place.until = self.place.until.max(end);
        self.place.value = end;
    }

    /// Returns the state, to be [put back](Self::put_back).
    #[must_use]
    pub const fn mark(&self) -> (Place, usize) {
        (self.place, self.missing.len())
    }

    /// Puts an earlier state back.
    pub fn put_back(&mut self, (place, missing): (Place, usize)) {
        self.place = place;
        self.missing.truncate(missing);
    }
}
