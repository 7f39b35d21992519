//! The position at which parsing paused, and the text it waits for.

use crate::parser::state::partial_string::PartialString;
use crate::parser::state::step::{Container, KeySpan};
use crate::tape::{NONE, Node};

/// Distance in bytes that a repair must keep from the end of the text to be certain: the decisive
/// text is hardly ever further ahead.
pub(crate) const MARGIN: usize = 64;

/// Number of bytes after a value in other quotes that prove its end.
pub(crate) const TOLD: usize = 8;

/// The place in the grammar at which reading paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The place before a value.
    #[default]
    Value,
    /// The place before a key.
    Key,
    /// The place after a value.
    After,
}

/// The text that must arrive before continuing is worthwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Await {
    /// A byte other than white space from here on.
    Byte(usize),
    /// The quote that closes the string whose opening quote has arrived.
    Quote,
    /// The colon after a key that begins at this offset and, if reading pauses before that key, the
    /// beginning of its value.
    Colon(usize),
    /// The beginning of a value from this offset on, and the end of a number or keyword.
    Value(usize),
    /// A byte from here on that cannot belong to a number or keyword.
    Word(usize),
    /// A text of this length.
    Length(usize),
    /// The end of the text.
    Never,
}

impl Await {
    /// Returns the text to await, raised to a text of this length if any text is awaited.
    pub(crate) fn put_off(&mut self, length: usize) {
        if let Self::Length(wanted) = self {
            *wanted = (*wanted).max(length);
        }
    }
}

/// The place at which reading paused, and the text that it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    pub(crate) phase: Phase,
    pub(crate) here: Container,
    pub(crate) key: KeySpan,
    pub(crate) at: usize,
    /// The last child of the innermost container.
    pub(crate) last: u32,
    pub(crate) wait: Await,
    /// The string whose opening quote has arrived.
    pub(crate) partial: PartialString,
    /// The last node is the beginning of a string that is still growing.
    pub(crate) growing: bool,
    /// The node at the time reading resumed.
    pub(crate) resumed: Option<Node>,
    /// Number of nodes when reading resumed; these do not change.
    pub(crate) shown: usize,
    /// The last scalar, if later text may give it another meaning.
    pub(crate) doubtful: Option<DoubtfulScalar>,
    /// `true` if reading paused before the end of the value.
    pub(crate) paused: bool,
    /// `true` if a repair was made.
    pub(crate) odd: bool,
    /// Number of repeated keys and of notes when reading resumed, without those taken back since.
    pub(crate) replaced: usize,
    pub(crate) notes: usize,
}

/// A scalar to which later text may give another meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubtfulScalar {
    /// Offset at which it begins.
    pub(crate) k: usize,
    pub(crate) container: u32,
    pub(crate) side: usize,
    pub(crate) repairs: usize,
    pub(crate) notes: usize,
}

impl Default for Pause {
    fn default() -> Self {
        Self {
            phase: Phase::Value,
            here: Container::OUTSIDE,
            key: KeySpan::NONE,
            at: 0,
            last: NONE,
            wait: Await::Byte(0),
            partial: PartialString::default(),
            growing: false,
            resumed: None,
            shown: 0,
            doubtful: None,
            paused: false,
            odd: false,
            replaced: 0,
            notes: 0,
        }
    }
}

impl Pause {
    pub(crate) fn until_byte(&mut self, from: usize) {
        self.wait = Await::Byte(from);
    }

    /// Waits for more text in proportion to the pending length, so that repeated scanning costs at
    /// most a few times that length.
    pub(crate) fn until_more(&mut self, begin: usize, length: usize) {
        self.wait = Await::Length(length + ((length - begin.min(length)) / 4).max(1));
    }

    /// Returns the value, other than an open container, that later text may still change.
    pub(crate) fn unsettled(&self, nodes: usize) -> Option<u32> {
        if self.growing {
            return Some(nodes as u32 - 1);
        }
        match self.phase {
            Phase::Value => None,
            Phase::Key | Phase::After => (self.here.count > 0).then_some(self.last),
        }
    }
}
