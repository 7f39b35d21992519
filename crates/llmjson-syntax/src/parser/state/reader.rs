//! The reader: one text, one tape, and what is remembered while reading.

use alloc::vec::Vec;

use crate::base::expected_names::ExpectedNames;
use crate::base::limits::{LimitReached, Limits};
use crate::parser::state::pause::Pause;
use crate::parser::state::signatures::Signatures;
use crate::tape::readings::Readings;
use crate::tape::{Node, Tape};

/// Reads one text into one tape.
pub(crate) struct Reader<'r> {
    pub(crate) text: &'r str,
    pub(crate) bytes: &'r [u8],
    pub(crate) tape: &'r mut Tape,
    pub(crate) limits: &'r Limits,
    pub(crate) scratch: &'r mut Scratch,
    /// The limit that ended reading.
    pub(crate) limit: Option<LimitReached>,
    /// Open containers.
    pub(crate) depth: u32,
    /// Repairs that were made after the records were full.
    pub(crate) unrecorded: bool,
    /// The text may have ended inside a string though closers follow it.
    pub(crate) cut: bool,
    /// Calls around a value whose closing bracket has not been seen.
    pub(crate) wrappers: u32,
    /// The text was taken out of another one, which records what stands around it.
    pub(crate) nested: bool,
    /// All values that the text may mean, if there are several.
    pub(crate) readings: Readings,
    /// Names that are expected, as evidence where a string's end is doubtful.
    pub(crate) names: Option<&'r ExpectedNames>,
    /// How far reading has come, and how many steps ago.
    pub(crate) furthest: usize,
    pub(crate) idle: u32,
    /// How often a root has been opened again.
    pub(crate) reopened: u32,
    /// Looking for the end of a string with unescaped quotes went to the end of the text in vain:
    /// from here on it would again.
    pub(crate) hopeless_from: usize,
    /// More text may come: what has been read is not taken back.
    pub(crate) growing: bool,
    /// The records from here on are those of the value that is being read.
    pub(crate) first_repair: usize,
    /// A name begins here that no quote closes: the text may have ended inside it, whatever it
    /// looks like behind.
    pub(crate) unclosed_from: usize,
    /// So many nodes there were when a container was closed last whose closer is missing.
    pub(crate) implied_end: usize,
    /// So many bytes have been read again by their lines.
    pub(crate) reread: usize,
    /// A line did not begin where the brackets around it say.
    pub(crate) misindented: bool,
    /// How many quotes have been looked at in vain for the ends of strings.
    pub(crate) fruitless: u32,
    /// Where a plain name was seen to begin while looking ahead, and how long it is.
    pub(crate) seen_name: (usize, usize),
}

impl<'r> Reader<'r> {
    pub(crate) fn new(
        text: &'r str,
        tape: &'r mut Tape,
        limits: &'r Limits,
        scratch: &'r mut Scratch,
    ) -> Self {
        tape.digits = limits.digits;
        Self {
            text,
            bytes: text.as_bytes(),
            tape,
            limits,
            scratch,
            limit: None,
            depth: 0,
            unrecorded: false,
            cut: false,
            wrappers: 0,
            nested: false,
            readings: Readings::default(),
            names: None,
            furthest: 0,
            idle: 0,
            reopened: 0,
            hopeless_from: usize::MAX,
            unclosed_from: usize::MAX,
            first_repair: 0,
            growing: false,
            implied_end: 0,
            reread: 0,
            misindented: false,
            fruitless: 0,
            seen_name: (0, 0),
        }
    }

    pub(crate) fn begin(&mut self, start: usize) {
        self.scratch.signatures.forget();
        self.wrappers = 0;
        self.cut = false;
        self.furthest = start;
        self.idle = 0;
        self.implied_end = 0;
    }
}

/// Buffers that outlive one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Keys of one object, for finding repeated ones.
    pub(crate) keys: Vec<(u64, u32)>,
    /// What tells the names of open objects apart.
    pub(crate) signatures: Signatures,
    /// Where reading paused, if more text is to come.
    pub(crate) pause: Pause,
    /// The open containers with their indices, as they were when a step was tried last.
    pub(crate) open: Vec<OpenContainer>,
}

/// An open container as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenContainer {
    pub(crate) index: u32,
    pub(crate) node: Node,
    pub(crate) count: u32,
}
